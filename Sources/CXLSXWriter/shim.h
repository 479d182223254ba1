// The workbook library, as Swift sees it.
#pragma once
#include <xlsxwriter.h>
