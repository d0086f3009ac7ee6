/*
 * Control characters made harmless (see the header). No state: any thread.
 */
#include "base/plain.h"

void plain_line(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        if (*c == '\n' || *c == '\t') {
            *c = ' ';
        } else if (*c < 0x20 || *c == 0x7f) {
            *c = '?';
        } else if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f) {
            c[0] = '?';
            c[1] = '?';
        }
    }
}
