#!/bin/sh
# Runs Debian's Postfix on 127.0.0.1 alone, so that it takes mail of the product and returns real
# bounces to it. `node scripts/postfix-bounces.ts` drives it; see docs/bounces.md.
#
#   postfix-loopback.sh FOLDER SUBMIT_PORT RECEIVE_PORT LISTENER_PORT BOUNCE_DOMAIN
#
# FOLDER      an empty folder for its configuration, queue and log
# SUBMIT      where the product hands its messages over (SMTP_URL)
# RECEIVE     where the servers of all recipients are played: each local part has its answer
# LISTENER    where the product takes bounces (BOUNCE_PORT)
#
# It stays in the foreground; SIGTERM ends it. It needs root, as Postfix does. An installed Postfix
# is used as it is, without its configuration. Otherwise the package is fetched and unpacked into
# FOLDER, and nothing is installed. No mail leaves this machine: there is no DNS and no other route.
set -eu
folder=$1 submit=$2 receive=$3 listener=$4 bounces=$5
mkdir -p "$folder/etc" "$folder/queue" "$folder/data"
chmod 755 "$folder" "$folder/etc" "$folder/queue"

root=''
if [ ! -x /usr/lib/postfix/sbin/master ]; then
  root=$folder/package
  (cd "$folder" && apt-get download -q postfix >"$folder/download.log" 2>&1)
  dpkg -x "$folder"/postfix_*.deb "$root"
fi
libraries=$root/usr/lib/postfix
export LD_LIBRARY_PATH="$libraries"

# Accounts of its own where Postfix is installed; else two that own nothing that runs.
owner=postfix group=postdrop
getent passwd postfix >/dev/null || owner=news
getent group postdrop >/dev/null || group=uucp
chown "$owner" "$folder/data"

cat >"$folder/etc/main.cf" <<EOF
compatibility_level = 3.6
config_directory = $folder/etc
queue_directory = $folder/queue
data_directory = $folder/data
daemon_directory = $libraries/sbin
command_directory = $root/usr/sbin
shlib_directory = $libraries
meta_directory = $root/etc/postfix
import_environment = MAIL_CONFIG TZ LANG=C LD_LIBRARY_PATH
mail_owner = $owner
setgid_group = $group
maillog_file = $folder/mail.log
maillog_file_prefixes = $folder
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
myhostname = relay.acme.example
mydestination =
local_recipient_maps =
alias_maps =
alias_database =
disable_dns_lookups = yes
smtp_host_lookup = native
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
smtputf8_enable = no
transport_maps = texthash:$folder/etc/transport
default_transport = smtp:[127.0.0.1]:$receive
# What is refused for now is given up after half a minute. Its sender is told of the delay before.
minimal_backoff_time = 5s
maximal_backoff_time = 5s
queue_run_delay = 5s
maximal_queue_lifetime = 30s
bounce_queue_lifetime = 30s
delay_warning_time = 10s
confirm_delay_cleared = no
EOF

cat >"$folder/etc/transport" <<EOF
$bounces            smtp:[127.0.0.1]:$listener
no-such-host.co.uk  error:5.1.2 Host or domain name not found. Name service error for name=no-such-host.co.uk type=MX: Host not found
nobody-there.co.uk  smtp:[127.0.0.1]:1
EOF

# Answers as large receivers give them.
cat >"$folder/etc/answers" <<EOF
unknown@   550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address
closed@    550 5.2.1 The email account that you tried to reach is disabled
exchange@  550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup
full@      552 5.2.2 The recipient's inbox is out of storage space
blocked@   550 5.7.1 Service unavailable, client host blocked using Spamhaus
dmarc@     550 5.7.26 Unauthenticated email is not accepted due to the domain's DMARC policy
spam@      554 5.7.1 Message rejected as spam by content filtering
sender@    550 5.1.1 Sender address rejected: domain of sender address does not exist
later@     451 4.7.1 Greylisting in action, please come back later
EOF

# What is refused nowhere is taken and thrown away.
cat >"$folder/etc/master.cf" <<EOF
127.0.0.1:$submit  inet n - n - - smtpd
127.0.0.1:$receive inet n - n - - smtpd
  -o myhostname=mx.acme.example
  -o smtpd_relay_restrictions=
  -o { smtpd_recipient_restrictions = check_recipient_access texthash:$folder/etc/answers, check_recipient_access static:DISCARD, reject }
pickup    unix n - n 60  1 pickup
cleanup   unix n - n -   0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n -   - trivial-rewrite
bounce    unix - - n -   0 bounce
defer     unix - - n -   0 bounce
trace     unix - - n -   0 bounce
flush     unix n - n 1000? 0 flush
proxymap  unix - - n -   - proxymap
smtp      unix - - n -   - smtp
error     unix - - n -   - error
retry     unix - - n -   - error
discard   unix - - n -   - discard
anvil     unix - - n -   1 anvil
postlog   unix-dgram n - n - 1 postlogd
EOF
for name in active bounce corrupt defer deferred flush hold incoming private saved trace; do
  mkdir -p "$folder/queue/$name" && chown "$owner" "$folder/queue/$name" && chmod 700 "$folder/queue/$name"
done
mkdir -p "$folder/queue/pid" "$folder/queue/maildrop" "$folder/queue/public"
chown "$owner:$group" "$folder/queue/maildrop" "$folder/queue/public"
chmod 730 "$folder/queue/maildrop" && chmod 710 "$folder/queue/public"

export MAIL_CONFIG="$folder/etc"
exec "$libraries/sbin/master" -c "$folder/etc" -d
