// libcurl, as Swift sees it.
//
// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, and variadic C functions cannot be called
// from Swift. Each wrapper below fixes one type of their third argument; the option itself stays libcurl's own
// constant. Beside them stands what is of another type from one release of the library to the next; every other
// function is called as it is.
#pragma once

// Makes CURL, CURLM and CURLSH distinct types instead of void, so that one cannot be passed for another.
#define CURL_STRICTER
#include <curl/curl.h>

// What Swift has of them: where the library no longer knows that word (Debian 13) they are void all the same.
typedef CURL *subledger_easy_pointer;
typedef CURLM *subledger_multi_pointer;

// Variadic: options that take a long (switches, limits, enumerations).
static inline CURLcode subledger_easy_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

// Variadic: options that take a 64-bit size.
static inline CURLcode subledger_easy_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

// Variadic: options that take a string. libcurl copies it; NULL takes the option back.
static inline CURLcode subledger_easy_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

// Variadic: options that take a pointer which libcurl keeps or hands back to a callback.
static inline CURLcode subledger_easy_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

// Variadic: the list of request headers. libcurl keeps the pointer, the caller frees the list.
static inline CURLcode subledger_easy_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

// Variadic: the callbacks that receive the body and the headers.
static inline CURLcode subledger_easy_set_receiver(CURL *handle, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(handle, option, value);
}

// Variadic: the callback that says a connection is ready and the request is about to be sent.
static inline CURLcode subledger_easy_set_prerequest(CURL *handle, curl_prereq_callback value) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}

// Variadic: the callback that is asked now and then whether a transfer may go on.
static inline CURLcode subledger_easy_set_progress(CURL *handle, curl_xferinfo_callback value) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

// Variadic: the parts of a mail. libcurl keeps the pointer, the caller frees them.
static inline CURLcode subledger_easy_set_mime(CURL *handle, curl_mime *value) {
    return curl_easy_setopt(handle, CURLOPT_MIMEPOST, value);
}

// Variadic: facts of a finished transfer that are a long.
static inline CURLcode subledger_easy_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

// Variadic: the pointer stored with CURLOPT_PRIVATE.
static inline CURLcode subledger_easy_get_private(CURL *handle, void **value) {
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, value);
}

// Variadic: options of the multi handle that take a long.
static inline CURLMcode subledger_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Numbers that are an enumeration's in Debian 12 and a long's in Debian 13: C takes both.
static inline long subledger_netrc_ignored(void) { return (long)CURL_NETRC_IGNORED; }
static inline long subledger_use_ssl(int always) { return always ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_NONE; }

// The result is a member of a union, which strict memory safety in Swift cannot read without ceremony.
static inline CURLcode subledger_message_result(const CURLMsg *message) {
    return message->data.result;
}
