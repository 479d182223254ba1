// The workbook library, as Swift sees it.
#pragma once
#include <xlsxwriter.h>

// Texts that are `char *` in Debian 12 (1.1.4) and `const char *` in Debian 13: C takes both.

static inline void subledger_set_tmpdir(lxw_workbook_options *options, char *tmpdir) {
    options->tmpdir = tmpdir;
}

static inline void subledger_set_texts(lxw_doc_properties *properties, char *title, char *comments) {
    properties->title = title;
    properties->comments = comments;
}

static inline void subledger_set_description(lxw_chart_options *options, char *description) {
    options->description = description;
}
