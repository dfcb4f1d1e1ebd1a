import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BounceKind, bounceKinds, kindOf } from '../kinds.ts';
import { classifyReply, type Reply } from './classify.ts';

/** Reads `550 5.1.1 words` as a reply to RCPT TO. */
function reply(line: string, phase: Reply['phase'] = 'recipient'): Reply {
  const [, code = '', enhanced = null, text = ''] =
    /^(\d{3}) (?:([245]\.\d{1,3}\.\d{1,3})(?: |$))?(.*)$/s.exec(line) ?? [];
  return { code: Number(code), enhanced, text, phase };
}

/** What servers answer, by what they mean. Shortened; addresses and networks are examples. */
const said: Record<BounceKind, readonly string[]> = {
  no_such_user: [
    // Gmail and Google Workspace
    '550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the address for typos. https://support.google.com/mail/?p=NoSuchUser - gsmtp',
    '550 5.1.1 @ does not exist. gsmtp',
    // Outlook.com and Exchange Online
    '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [VI1EUR02FT037.eop-EUR02.prod.protection.outlook.com]',
    '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [AM7EUR06FT056.eop-eur06.prod.protection.outlook.com]',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient jo@acme.example not found by SMTP address lookup',
    '550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found',
    // Exchange on premises
    '550 5.1.1 User unknown',
    '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found',
    '550 5.1.1 The e-mail account does not exist at the organization this message was sent to',
    // Yahoo and AOL
    "554 delivery error: dd This user doesn't have a yahoo.com account (jo@yahoo.com) [0] - mta4001.mail.bf1.yahoo.com",
    '554 delivery error: dd Requested mail action aborted: mailbox not found',
    '552 1 Requested mail action aborted, mailbox not found',
    '550 5.1.1 <jo@aol.com>: Recipient address rejected: aol.com',
    // iCloud
    '550 5.1.1 <jo@icloud.com>: user does not exist',
    '550 5.1.1 unknown or illegal alias: jo@me.com',
    // BT, Sky, Virgin Media, TalkTalk
    '550 5.1.1 <jo@btinternet.com> recipient rejected',
    '550 Invalid recipient jo@btinternet.com (Mode: normal)',
    "554 delivery error: dd This user doesn't have a sky.com account (jo@sky.com) [-5]",
    '550 5.1.1 jo@virginmedia.com recipient not found. VM201',
    '550 #5.1.0 Address rejected. jo@ntlworld.com',
    '550 5.1.1 <jo@talktalk.net> User unknown; rejecting',
    '550 unknown user <jo@tiscali.co.uk>',
    '550 5.1.1 no such user plusnet',
    // GMX, web.de, Orange, Comcast, Mail.ru, Zoho, Proton, Fastmail
    '550 Requested action not taken: mailbox unavailable',
    '550 5.2.0 No such user - mail.com',
    '550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR204_416',
    '550 5.1.1 Not our Customer',
    '550 Message was not accepted -- invalid mailbox. Local mailbox jo@mail.ru is unavailable: user not found',
    '550 5.1.1 User does not exist - <jo@zoho.example>',
    '550 5.1.1 <jo@proton.example>: Recipient address rejected: Address does not exist',
    '550 5.1.1 <jo@fastmail.example>: Recipient address rejected: User unknown in virtual mailbox table',
    // Mimecast, Proofpoint, Barracuda, Cisco, Trend Micro, Sophos, Symantec, MailChannels
    '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [gKj3hXqZP1uE-_4qHn8B0g.uk291]',
    '550 5.1.1 User Unknown (pphosted)',
    '550 5.1.1 <jo@acme.example> Recipient not found. <http://www.symanteccloud.com/troubleshooting>',
    '550 cuda_nsu 5.1.1 <jo@acme.example>: Recipient address rejected: User unknown',
    '550 No such user (jo@acme.example)',
    '550 #5.1.0 Address rejected.',
    '550 5.1.1 Recipient address rejected: undeliverable address: host mail.acme.example said: 550 no such user here',
    '550 XGEMAIL_0011 Command rejected: recipient does not exist',
    '550 5.1.1 Mailbox does not exist for this recipient',
    // Postfix
    '550 5.1.1 <jo@acme.example>: Recipient address rejected: User unknown in local recipient table',
    '550 5.1.1 <jo@acme.example>: Recipient address rejected: User unknown in relay recipient table',
    '550 5.1.0 <jo@acme.example>: Recipient address rejected: User unknown in virtual alias table',
    // Exim, cPanel
    '550 No Such User Here',
    '550 "No such person at this address"',
    '550 Unrouteable address',
    '550 The recipient cannot be verified. Please check all recipients of this message to verify they are valid.',
    '550 Unknown user',
    // Sendmail
    '550 5.1.1 <jo@acme.example>... User unknown',
    '550 5.0.0 <jo@acme.example>... Not known here',
    '553 5.3.0 <jo@acme.example>... No such user here',
    // qmail and vpopmail
    '550 sorry, no mailbox here by that name. (#5.1.1)',
    '511 sorry, no mailbox here by that name (#5.1.1 - chkuser)',
    "550 sorry, that address doesn't exist",
    // Zimbra, Domino, Kerio, MDaemon, hMailServer, SmarterMail, CommuniGate, IceWarp, Axigen, James
    '550 5.1.1 <jo@acme.example>: Recipient address rejected: acme.example (in reply to RCPT TO command)',
    '550 jo@acme.example... No such user',
    '550 5.1.1 <jo@acme.example> User unknown; rejecting',
    '550 <jo@acme.example>, Recipient unknown',
    '550 Unknown user (hMailServer)',
    '550 <jo@acme.example> No such user here',
    '550 jo@acme.example unknown user account',
    '550 5.1.1 <jo@acme.example> User unknown or not available',
    '550 Recipient not found',
    // Other words
    '550 Mailbox not found',
    '550 5.1.1 Mail address is not in our directory',
    '550 Address unknown',
    '554 Recipient unknown to this server',
    '550 That mailbox does not exist',
    '550 Addressee unknown',
    '550 Not a valid mailbox',
    '550 5.0.0 Unknown local part jo',
    '554 5.5.0 Error: invalid recipient',
    '550 Benutzer unbekannt, Empfänger unbekannt',
    '550 5.1.1 utilisateur inconnu',
  ],
  no_such_domain: [
    '550 5.1.2 Host unknown (Name server: acme.example: host not found)',
    '550 5.1.2 <jo@acme.example>: Recipient address rejected: Domain not found',
    '556 5.1.10 Recipient address has null MX',
    '556 Domain does not accept mail (nullMX)',
    '550 5.4.4 [internal] Domain Lookup Failed: domain does not exist',
    '550 Unrouteable mail domain "acme.example"',
    '512 5.1.2 Bad destination system: no such domain',
    '550 No such domain at this location',
    '550 Mail server for "acme.example" does not exist: name or service not known',
    '554 5.4.4 Unable to route: invalid domain',
  ],
  bad_address: [
    '501 5.1.3 Bad recipient address syntax',
    '553 5.1.3 The recipient address <jo@-acme.example> is not a valid RFC-5321 address',
    '553 5.1.3 <jo..x@acme.example> malformed',
  ],
  moved: [
    '551 User not local; please try <jo@new.example>',
    '551 5.1.6 Mailbox has moved, no forwarding address',
    '550 5.1.6 recipient no longer on server: jo@acme.example',
    '550 Jo Smith no longer works here',
    '550 This person has left the company',
  ],
  disabled: [
    '550 5.2.1 The email account that you tried to reach is disabled. https://support.google.com/mail/?p=DisabledUser - gsmtp',
    '550 5.2.1 The email account that you tried to reach is inactive. https://support.google.com/mail/?p=InactiveUser - gsmtp',
    '554 delivery error: dd Sorry, your message to jo@yahoo.com cannot be delivered. This mailbox is disabled (554.30).',
    '550 5.2.1 <jo@icloud.example>: inactive email address',
    '550 account is disabled: jo@btinternet.com',
    '554 5.2.1 This account has been deactivated. VM303',
    '550 5.2.1 Mailbox disabled, not accepting messages',
    '550 5.2.1 <jo@acme.example>: mailbox has been suspended',
    '550 This address is no longer in use',
    '550 Account closed due to inactivity',
    '554 Mailbox is locked',
    '550 The user account has expired',
    '550 Mailbox is inactive: has not been accessed for 12 months',
  ],
  known_bad: [
    '550 5.1.1 Address jo@acme.example is on the suppression list for your account',
    '550 Not delivering to previously bounced address',
    '550 Recipient marked as inactive',
  ],
  full: [
    '552 5.2.2 The email account that you tried to reach is over quota. https://support.google.com/mail/?p=OverQuotaPerm - gsmtp',
    "452 4.2.2 The recipient's inbox is out of storage space. Please direct the recipient to their storage settings - gsmtp",
    '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException',
    '452 4.2.2 Mailbox full',
    '552 5.2.2 <jo@icloud.com>: user is over quota',
    '552 5.2.2 <jo@acme.example>: user quota exceeded',
    '552 5.2.2 Account quota exceeded',
    '452 Account limit reached: the mailbox is full',
    '552 1 Requested mail action aborted: exceeded storage allocation',
    '554 5.2.2 <jo@virginmedia.com> mailbox full. VM401',
    '552 5.2.2 <jo@btinternet.com> Mailbox over quota',
    '550 Mailbox quota exceeded for talktalk.net user',
    '452 4.2.2 Over quota',
    '552 5.2.2 <jo@acme.example>: Recipient address rejected: Quota exceeded (mailbox for user is full)',
    '552 Quota exceeded',
    '550 mailbox is full (MTA-imposed quota exceeded while writing to file)',
    '552 maildir over quota, please try later',
    '550 User jo has exceeded his mailbox size limit',
    '422 4.2.2 The recipient’s mailbox is over its storage limit',
    '450 4.2.2 insufficient disk space for this user',
    '552 Mailbox limit exceeded for this email address',
    '550 5.2.2 Boîte aux lettres pleine',
    '554 Account has exceeded disk quota',
  ],
  busy: [
    '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered - gsmtp',
    '450 User is receiving mail too quickly',
    '432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded',
    '421 4.7.1 Messages to jo@icloud.com deferred due to excessive volume. Try again later - https://support.apple.com/en-us/HT204137',
  ],
  greylist: [
    '451 4.7.1 Greylisting in action, please come back later',
    '450 4.2.0 <jo@acme.example>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/acme.example.html',
    '451 Internal resource temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451',
    '451 4.7.1 Please try again later (TEMPFAIL). Try again in 300 seconds',
    '450 4.7.1 You have been greylisted for 180 seconds',
    '451 Graylisted, try again in 5 minutes',
    '421 4.3.2 GL01 Your server is a first-time sender here',
    '450 4.7.1 greylisting in effect',
  ],
  rate: [
    '421 4.7.28 Our system has detected an unusual rate of unsolicited mail originating from your IP address. Mail has been temporarily rate limited - gsmtp',
    '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes',
    '421 RP-001 (BAY004-MC1F12) Unfortunately, some messages from 192.0.2.1 weren’t sent. The mail server IP connecting to Outlook.com server has exceeded the rate limit allowed',
    '421 4.7.0 Too many concurrent SMTP connections',
    '421 too many connections from your IP [192.0.2.1]',
    '451 4.7.500 Server busy. Too many requests, throttled',
    '421 4.4.5 Too many messages for this session',
    '450 4.7.1 Error: too much mail from 192.0.2.1: rate limit exceeded',
    '452 4.5.3 Too many recipients',
    '421 mx.talktalk.net: too many sessions from this host, slow down',
    '421 Max message per connection reached, closing transmission channel',
    '421 4.2.1 Connection frequency limited; please slow down (btinternet)',
    '450 Requested mail action not taken: message rate exceeded (web.de)',
  ],
  reputation: [
    '550 5.7.1 Unfortunately, messages from [192.0.2.1] weren’t sent. Please contact your Internet service provider since part of their network is on our block list (S3140).',
    '550 5.7.606 Access denied, banned sending IP [192.0.2.1]. To request removal visit https://sender.office.com/',
    '550 5.7.511 Access denied, banned sender[192.0.2.1]. To request removal forward this message to delist@microsoft.com',
    '553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1, because the ip is in Spamhaus’s list',
    '421 4.7.1 [TS03] All messages from 192.0.2.1 will be permanently deferred; Retrying will NOT succeed',
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.1',
    '554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied',
    '550 Message rejected due to sender IP reputation ([192.0.2.1])',
    '550 5.7.25 The IP address sending this message does not have a PTR record set up - gsmtp',
    '554 btinternet.com: your IP 192.0.2.1 has poor reputation, see csi.cloudmark.com',
    '550 5.2.1 Mailbox unavailable. Your IP address 192.0.2.1 is blacklisted using SPAMHAUS-XBL',
    '554 mx.acme.example Your access to this mail system has been rejected due to the sending MTA’s poor reputation',
    '550 OU-002 (COL004) Unfortunately, messages from 192.0.2.1 weren’t sent',
    '554 Service unavailable; Client host [192.0.2.1] blocked using Barracuda Reputation',
    '550 Rejected: 192.0.2.1 is listed at bl.spamcop.net',
    '521 5.7.1 Connections from 192.0.2.1 are blocked',
    '550 5.7.1 Cannot find your reverse DNS, rejected',
    '554 5.7.1 <mail.acme.example>: Helo command rejected: Host not found',
  ],
  authentication: [
    '550 5.7.1 <jo@acme.example>: Recipient address rejected: DKIM authentication failed',
    '550 5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM - gsmtp',
    '550 5.7.26 Unauthenticated email from acme.example is not accepted due to domain’s DMARC policy - gsmtp',
    '550 5.7.515 Access denied, sending domain acme.example doesn’t meet the required authentication level',
    '550 5.7.509 Access denied, sending domain acme.example does not pass DMARC verification and has a DMARC policy of reject',
    '554 5.7.9 Message not accepted for policy reasons. Email failed DMARC validation',
    '550 5.7.1 Your message was rejected due to acme.example DMARC policy',
    '550 5.7.23 The message was rejected because of Sender Policy Framework violation',
    '550 SPF check failed: 192.0.2.1 is not allowed to send mail from acme.example',
    '550 5.7.20 No passing DKIM signature found',
    '550 Rejected by header based Anti-Spoofing policy: news@acme.example - https://community.mimecast.com/docs/DOC-1369#550',
    '451 4.7.24 The SPF record of the sending domain has one or more suspicious entries - gsmtp',
  ],
  spam: [
    '550 5.7.1 Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked - gsmtp',
    '554 5.7.1 [HM08] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137',
    '550 5.7.1 Message rejected as spam by Content Filtering.',
    '554 5.7.1 Message considered as spam. VM502',
    '550 This message was classified as SPAM and may not be delivered',
    '554 rejected due to spam URL in content',
    '550 High probability of spam',
    '550 5.7.0 Proofpoint: message looks like junk mail',
    '554 5.7.1 The message from (<news@acme.example>) with the subject of (Offer) matches a profile the Internet community may consider spam',
    '552 spam message rejected',
    '550 permanent failure for one or more recipients (jo@acme.example:blocked): spam score exceeds the threshold',
    '554 Transaction Failed Spam Message not queued.',
  ],
  content: [
    '552 5.7.0 This message was blocked because its content presents a potential security issue. Attachment not allowed - gsmtp',
    '550 5.7.1 Your email was rejected due to having a domain present in the Spamhaus DBL -- see https://www.spamhaus.org/dbl/',
    '554 5.7.1 Service unavailable; blocked using multi.uribl.com',
    '550 5.7.512 Message content rejected: From header',
    '554 5.6.1 Eicar-Test-Signature virus found',
    '550 message contains malware',
    '554 5.7.1 Phishing detected in the message',
    '550 Attachment type .zip is blocked by policy',
  ],
  too_large: [
    '552 5.2.3 Your message exceeded Google’s message size limits - gsmtp',
    '552 5.3.4 Message size exceeds fixed maximum message size',
    '552 Message size exceeds maximum permitted',
    '552 5.3.4 Message too big for system',
    '550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient',
    '523 the message’s total size exceeds the limit',
  ],
  sender_refused: [
    '550 5.1.8 <news@acme.example>: Sender address rejected: Domain not found',
    '553 5.1.8 <news@acme.example>... Domain of sender address news@acme.example does not exist',
    '550 Sender verify failed',
    '550 5.1.7 <news@acme.example>: Sender address rejected: unverified address: User unknown',
    '501 5.1.7 Invalid sender address',
    '550 5.1.0 sender rejected: address not accepted',
    '421 Sender address blocked',
    '550 5.7.1 TRANSPORT.RULES.RejectMessage; the recipient does not accept mail from you',
    '550 Envelope blocked - User Entry: blocked sender',
    '550 5.7.60 SMTP; Client does not have permissions to send as this sender',
  ],
  policy: [
    '550 5.7.1 This message violates acme.example email policy. - gcdp - gsmtp',
    '550 Administrative prohibition - refused - https://community.mimecast.com/docs/DOC-1369#550',
    '550 5.7.1 Message refused by the recipient’s rules',
    '554 5.7.1 <jo@acme.example>: Recipient address rejected: User unknown',
    '554 5.7.1 Rejected by policy. VM601',
    '550 Blocked',
    "553 sorry, this recipient isn't in my validrcptto list (#5.7.1)",
    '550 <jo@acme.example>: Recipient address rejected: Access denied',
    '550 Recipient address rejected: blocked by the owner',
    '530 5.7.57 SMTP; this organisation takes nothing anonymous',
    '554 5.7.0 Message denied by administrator',
    '554 5.7.9 Message not accepted for policy reasons. See https://senders.yahooinc.com/error-codes',
    '554 5.7.9 Not accepted',
    '554 Denied (Mode: normal)',
  ],
  encryption: [
    '421 4.7.0 TLS required for RCPT domain, closing connection',
    '530 5.7.0 Must issue a STARTTLS command first',
    '554 5.7.10 Encryption needed',
  ],
  relay: [
    '554 5.7.1 <jo@acme.example>: Relay access denied',
    '550 5.7.1 Unable to relay for jo@acme.example',
    '550 relay not permitted',
    '553 sorry, that domain isn’t in my list of allowed rcpthosts (#5.7.1)',
    '550 5.7.1 <jo@acme.example>... Relaying denied',
    '454 4.7.1 <jo@acme.example>: Relay access denied',
  ],
  account: [
    '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-2: news@acme.example',
    '454 Throttling failure: Daily message quota exceeded.',
    '454 Throttling failure: Maximum sending rate exceeded.',
    '451 Authentication failed: Maximum credits exceeded',
    '550 The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved',
    '535 5.7.8 Username and Password not accepted',
    '530 5.7.0 Authentication required',
    '534 5.7.9 Application-specific password needed',
    '452 Account credits used up',
    '550 Your hourly account limit is reached',
    '550 5.4.5 Daily user sending limit exceeded - gsmtp',
    '553 5.7.1 <news@acme.example>: Sender address rejected: not owned by user acme',
    '554 Your account is temporarily suspended',
    '554 Sending has been paused for this account',
    '550 Domain acme.example has exceeded the max emails per hour (500/500 (100%)) allowed. Message discarded.',
    '554 5.2.252 SendAsDenied; news@acme.example not allowed to send as another user',
  ],
  dns: [
    '451 4.4.3 Temporary server error: DNS lookup failed',
    '450 4.1.2 DNS problem, MX lookup failed',
    '450 4.4.4 name service error for name=acme.example type=MX: Host not found, try again',
    '550 5.4.4 Unable to resolve route for the domain',
  ],
  unreachable: [
    '451 4.4.1 Connection timed out',
    '450 4.4.316 Connection refused [Message=Socket error code 10061]',
    '451 4.4.2 Timeout waiting for the next hop',
    '421 4.4.1 lost connection with mx.acme.example',
    '450 No route to host: connect to mx.acme.example: network is unreachable',
  ],
  expired: [
    '554 5.4.7 Delivery expired (message too old)',
    '550 5.4.7 QUEUE.Expired; message expired',
    '550 retry timeout exceeded',
    '554 5.0.0 Message could not be delivered for 5 days',
  ],
  loop: [
    '554 5.4.6 Hop count exceeded - possible mail loop',
    '554 5.4.14 ATTR34 too many hops',
    '550 mail for acme.example loops back to myself',
    '550 5.4.6 Routing loop detected',
  ],
  unsupported: [
    '553 5.6.7 The server does not take addresses with letters beyond ASCII',
    '550 5.6.7 SMTPUTF8 is required, but was not offered by the next hop',
  ],
  protocol: [
    '501 Syntax error in parameters or arguments',
    '503 5.5.1 Bad sequence of commands',
    '550 5.5.2 Line too long, see RFC 5322',
    '554 Missing Date headers, RFC 5322',
  ],
  temporary: [
    '451 4.3.0 Mail server temporarily rejected message - gsmtp',
    '421 4.3.0 Temporary System Problem. Try again later - gsmtp',
    '451 4.3.2 Internal server error',
    '451 mta.sky.com Resources temporarily unavailable. Please try again later [#4.16.1].',
    '451 4.7.1 Service unavailable - try again later',
    '452 4.3.1 Insufficient system storage',
    '452 4.3.1 Insufficient system resources',
    '421 Service not available, closing transmission channel',
    '450 4.3.2 System not accepting network messages: maintenance',
    '451 4.3.0 <jo@acme.example>: Temporary failure',
    '451 Requested action aborted: local error in processing',
    '421 Unable to process connection at this time',
  ],
  other: ['550 No', '554 5.0.0 OFR_506', '571 ?'],
};

const rows = Object.entries(said).flatMap(([kind, lines]) => lines.map((line) => [kind, line] as const));

describe('what servers write', () => {
  it('is there in more than 150 samples of all kinds', () => {
    expect(new Set(rows.map(([, line]) => line)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(150);
    expect(Object.keys(said).sort()).toEqual([...bounceKinds].sort());
  });

  it.each(rows)('%s: %s', (kind, line) => {
    expect(classifyReply(reply(line)).kind).toBe(kind);
  });

  it('suppresses only for good, and only for what is about the address', () => {
    for (const [kind, line] of rows) {
      const verdict = classifyReply(reply(line));
      expect(verdict.suppresses, line).toBe(
        kindOf(kind as BounceKind).class === 'hard' && Number(line.slice(0, 3)) >= 500,
      );
    }
  });
});

const anyText = fc.oneof(fc.string(), fc.constantFrom(...rows.map(([, line]) => line.slice(4))));
const anyReply = fc.record({
  code: fc.constantFrom(null, 421, 450, 451, 452, 500, 530, 535, 550, 551, 552, 553, 554, 599),
  enhanced: fc.option(
    fc
      .tuple(fc.constantFrom(4, 5), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 30 }))
      .map((parts) => parts.join('.')),
  ),
  text: anyText,
  phase: fc.constantFrom('sender', 'recipient', 'data', 'message', 'report'),
}) satisfies fc.Arbitrary<Reply>;

describe('whoever is suppressed', () => {
  it('is refused for good, and not for a rule or for the sender', () => {
    fc.assert(
      fc.property(anyReply, (one) => {
        const { suppresses, fault, class: is } = classifyReply(one);
        if (!suppresses) return;
        expect({ fault, is }).toEqual({ fault: 'address', is: 'hard' });
        expect(one.code ?? 550).toBeGreaterThanOrEqual(500);
        expect(one.enhanced ?? '5.0.0').not.toMatch(/^.\.7\./);
        expect(one.phase).not.toBe('sender');
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not so because of what an address is called', () => {
    for (const name of ['no-such-user', 'mailbox-full', 'spamhaus', 'greylist'])
      expect(classifyReply(reply(`550 <${name}@acme.example>: no`)).kind).toBe('other');
  });
});

describe('what comes next', () => {
  const nextOf = (line: string, phase?: Reply['phase']) => classifyReply(reply(line, phase)).next;

  it('is another try for what is refused for now, and less mail where a server asks for it', () => {
    expect(nextOf('451 4.7.1 Greylisted')).toEqual({ how: 'retry', seconds: 300, slowsDomain: false });
    expect(nextOf('421 4.7.0 Too many connections')).toEqual({
      how: 'retry',
      seconds: 900,
      slowsDomain: true,
    });
    expect(nextOf('550 5.1.1 User unknown')).toEqual({ how: 'fail' });
  });

  it('is a stop for what keeps everybody from getting the message', () => {
    expect(nextOf('550 5.7.1 Sender rejected', 'sender')).toEqual({ how: 'stop', isKept: true });
    expect(nextOf('454 Throttling failure: Daily message quota exceeded.', 'message').how).toBe('stop');
    // One recipient's server has a rule. The others get theirs.
    const byRule =
      '554 5.7.9 Message not accepted for policy reasons. See https://senders.yahooinc.com/error-codes';
    expect(nextOf(byRule, 'message')).toEqual({ how: 'fail' });
    expect(nextOf('554 5.7.1 Relay access denied')).toEqual({ how: 'stop', isKept: false });
    // Another server's words, long after.
    expect(nextOf('554 5.7.1 Relay access denied', 'report')).toEqual({ how: 'fail' });
  });
});

it('takes no longer over a hostile text', () => {
  const parts = [
    'user ',
    'mailbox not ',
    'sender x ',
    'message ',
    '<<<<',
    'a@',
    'from a b c d ',
    '(',
    'exceed ',
  ];
  const began = performance.now();
  for (const part of parts)
    classifyReply({ code: 550, enhanced: null, text: part.repeat(100_000), phase: 'report' });
  expect(performance.now() - began).toBeLessThan(2_000);
});
