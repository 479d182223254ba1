// SPDX-License-Identifier: Apache-2.0

// libpq as it is: the header's folder comes from pkg-config. Nothing is wrapped here because nothing that
// Postgres calls is variadic or a macro that Swift cannot read.
#include <libpq-fe.h>
