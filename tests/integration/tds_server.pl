#!/usr/bin/perl
# A server that speaks just enough TDS 7.4 ([MS-TDS]) to be left, refused by and lost:
#   tds_server.pl FILE MODE   writes its port on 127.0.0.1 into FILE; ends with its standard input
# MODE: hangup   says nothing and hangs up
#       garble   answers with something else
#       refuse   answers the login with error 18456
#       lose     takes the login, answers N batches (MODE lose:N), and hangs up at the next
use strict;
use warnings;
use IO::Socket::INET;

my ($file, $mode) = @ARGV;
my $answers = $mode =~ s/:(\d+)$// ? $1 : 0;
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 8) or die "listen: $!";
open my $out, '>', "$file.new" or die "$file: $!";
print $out $listener->sockport, "\n";
close $out;
rename "$file.new", $file;
$SIG{CHLD} = 'IGNORE';
$SIG{PIPE} = 'IGNORE';

sub bytes { # COUNT: from the client
    my ($client, $n) = @_;
    my $got = '';
    while (length $got < $n) { sysread($client, $got, $n - length $got, length $got) or exit 0 }
    return $got;
}

sub message { # its type; all packets up to the last one
    my $client = shift;
    while (1) {
        my ($type, $status, $length) = unpack 'CCn', bytes($client, 8);
        bytes($client, $length - 8);
        return $type if $status & 1;
    }
}

sub reply { # one packet of type 4
    my ($client, $tokens) = @_;
    print $client pack('CCnnCC', 4, 1, 8 + length $tokens, 1, 1, 0), $tokens;
    $client->flush;
}

sub wide { join '', map { "$_\0" } split //, shift }
sub token { my ($kind, $body) = @_; return pack('Cv', $kind, length $body) . $body }
sub done { return pack 'CvvQ<', 0xfd, shift, 0, 0 }

sub talk {
    my $client = shift;
    return if $mode eq 'hangup';
    message($client);
    return print $client "SSH-2.0-something else\r\n" x 4 if $mode eq 'garble';
    # Version 16.0 and no encryption, each by (option, offset, length), then the login.
    reply($client, pack('CnnCnnC', 0, 11, 6, 1, 17, 1, 0xff) . pack('C6C', 16, 0, 0, 0, 0, 0, 2));
    message($client);
    if ($mode eq 'refuse') {
        my $text = "Login failed for user 'a'.";
        my $error = pack('VCC', 18456, 1, 14) . pack('v', length $text) . wide($text) . "\0\0" . pack('V', 1);
        return reply($client, token(0xaa, $error) . done(2));
    }
    my $name = 'Microsoft SQL Server';
    reply($client, token(0xad, pack('CNC', 1, 0x74000004, length $name) . wide($name) . pack('C4', 16, 0, 0, 0)) . done(0));
    while ($answers-- > 0) {
        message($client);
        reply($client, done(0));
    }
    message($client);
}

my $parent = fork // die "fork: $!";
if ($parent) { # ends with who started it
    1 while sysread STDIN, my $unused, 1;
    kill 'TERM', $parent;
    exit 0;
}
while (my $client = $listener->accept) {
    next if fork;
    talk($client);
    close $client;
    exit 0;
}
