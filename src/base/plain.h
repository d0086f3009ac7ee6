/*
 * What servers, devices and files say, fit for a terminal and for a line of a log: it may hold
 * escape sequences.
 */
#ifndef BASE_PLAIN_H
#define BASE_PLAIN_H

/* In place: a line feed or tab becomes a space, any other control character a "?" a byte; also
 * those that a terminal obeys though UTF-8 writes them in two bytes (U+0080 to U+009F). */
void plain_line(char *text);

#endif
