import { describe, expect, it } from 'vitest';
import { createOptOutReader, recogniseOptOuts } from './opt-outs.ts';

/**
 * Files as programs write them, by their public documentation, with made-up people. Cells stand
 * between bars. After the arrow: the reason, the date and the column that an import tells, or
 * nothing where the person may be mailed.
 */
const files: Record<string, string> = {
  'Mailchimp, subscribed members': `
    Email Address | First Name | Last Name | MEMBER_RATING | OPTIN_TIME | OPTIN_IP | CONFIRM_TIME | CONFIRM_IP | GMTOFF | DSTOFF | TIMEZONE | CC | REGION | LAST_CHANGED | LEID | EUID | NOTES | TAGS
    olive.hart@fernbank.co.uk | Olive | Hart | 2 | | | 2021-05-04 09:12:33 | 81.2.69.144 | 0 | 1 | Europe/London | GB | ENG | 2023-11-02 10:00:01 | 200411 | a1b2c3d4e5 | | "VIP","Spring fair"
    rhys.pugh@caerwen.co.uk | Rhys | Pugh | 4 | 2020-01-14 18:22:10 | 86.1.2.3 | 2020-01-14 18:23:00 | 86.1.2.3 | 0 | 1 | Europe/London | GB | WLS | 2024-01-05 08:00:00 | 200412 | b1b2c3d4e5 | |`,
  'Mailchimp, unsubscribed members': `
    Email Address | First Name | Last Name | MEMBER_RATING | OPTIN_TIME | CONFIRM_TIME | LAST_CHANGED | UNSUB_TIME | UNSUB_CAMPAIGN_TITLE | UNSUB_CAMPAIGN_ID | UNSUB_REASON | UNSUB_REASON_OTHER | LEID
    iona.baird@glenlea.scot | Iona | Baird | 2 | 2019-02-01 10:00:00 | 2019-02-01 10:00:00 | 2022-06-07 11:12:13 | 2022-06-07 11:12:13 | June news | 4021331 | NORMAL | | 301 -> unsubscribed 2022-06-07 UNSUB_TIME
    owen.tate@brackley.co.uk | Owen | Tate | 2 | 2019-02-01 10:00:00 | 2019-02-01 10:00:00 | 2023-02-28 00:10:00 | 2023-02-28 00:10:00 | | | N/A (Unsubscribed by an admin) | | 302 -> unsubscribed 2023-02-28 UNSUB_TIME
    nell.voss@brackley.co.uk | Nell | Voss | 1 | 2018-07-01 10:00:00 | | 2021-09-30 23:59:59 | 2021-09-30 23:59:59 | Autumn | 4021339 | SPAM | | 303 -> complained 2021-09-30 UNSUB_REASON`,
  'Mailchimp, cleaned members': `
    Email Address | First Name | OPTIN_TIME | CONFIRM_TIME | CLEAN_TIME | CLEAN_CAMPAIGN_TITLE | CLEAN_CAMPAIGN_ID
    gone@oldfirm.co.uk | Ida | 2016-03-01 10:00:00 | 2016-03-01 10:00:00 | 2019-10-11 12:13:14 | October | 99123 -> bounced 2019-10-11 CLEAN_TIME
    full@oldfirm.co.uk | Ron | 2016-03-01 10:00:00 | | 2020-02-29 01:02:03 | | -> bounced 2020-02-29 CLEAN_TIME`,
  'HubSpot, contacts': `
    Record ID | First Name | Last Name | Email | Lead Status | Marketing contact status | Unsubscribed from all email | Opted out of email: Marketing Information | Opted out of email: One to One | Email hard bounce reason | Last marketing email open date | Create Date
    151 | Amber | Kerr | amber@kerrandsons.co.uk | Open | Marketing contact | | | | | 2024-05-01 10:04 | 2021-05-01 10:04
    152 | Dev | Rana | dev@ranafoods.co.uk | Connected | Non-marketing contact | true | true | true | | 2024-05-01 10:04 | 2021-05-01 10:04 -> unsubscribed - Unsubscribed from all email
    153 | Ewan | Muir | ewan@muir.scot | | Non-marketing contact | false | false | false | UNKNOWN_USER | | 2021-05-01 10:04 -> bounced - Email hard bounce reason
    154 | Faye | Lunn | faye@lunn.co.uk | New | Marketing contact | | true | | | | 2021-05-01 10:04 -> unsubscribed - Opted out of email: Marketing Information
    155 | Gus | Odell | gus@odell.co.uk | Unqualified | Marketing contact | No | No | No | | | 2021-05-01 10:04`,
  'HubSpot, unsubscribes and bounces': `
    Email | Portal Bounce | Portal Unsubscribe | Portal Spam Report | Global Bounce | Marketing Information
    hal@quarry.co.uk | FALSE | TRUE | FALSE | FALSE | TRUE -> unsubscribed - Portal Unsubscribe
    ina@quarry.co.uk | TRUE | FALSE | FALSE | TRUE | FALSE -> bounced - Portal Bounce
    jim@quarry.co.uk | FALSE | TRUE | TRUE | FALSE | TRUE -> complained - Portal Spam Report
    kim@quarry.co.uk | FALSE | FALSE | FALSE | FALSE | TRUE`,
  'Klaviyo, profiles': `
    Email | Klaviyo ID | First Name | Last Name | Phone Number | Email Marketing Consent | Email Marketing Consent Timestamp | Email Suppressions | Email Suppressions Timestamp | SMS Marketing Consent | Profile Created On
    liv@harbourtea.co.uk | 01HX1 | Liv | Dow | | SUBSCRIBED | 2023-07-07T10:00:00+00:00 | [] | | NEVER_SUBSCRIBED | 2023-07-07T10:00:00+00:00
    max@harbourtea.co.uk | 01HX2 | Max | Roe | | UNSUBSCRIBED | 2023-08-31T23:30:00+00:00 | ['UNSUBSCRIBE'] | 2023-08-31T23:30:00+00:00 | SUBSCRIBED | 2022-07-07T10:00:00+00:00 -> unsubscribed 2023-09-01 Email Marketing Consent
    noa@harbourtea.co.uk | 01HX3 | Noa | Lee | | NEVER_SUBSCRIBED | | | | | 2022-07-07T10:00:00+00:00 -> imported - Email Marketing Consent
    pip@harbourtea.co.uk | 01HX4 | Pip | Orr | | SUBSCRIBED | 2022-01-01T10:00:00+00:00 | ['HARD_BOUNCE'] | 2024-01-15T08:00:00+00:00 | | 2022-01-01T10:00:00+00:00 -> bounced 2024-01-15 Email Suppressions
    una@harbourtea.co.uk | 01HX5 | Una | Fry | | SUBSCRIBED | 2022-01-01T10:00:00+00:00 | ['SPAM_COMPLAINT'] | 2024-02-15T08:00:00+00:00 | | 2022-01-01T10:00:00+00:00 -> complained 2024-02-15 Email Suppressions
    ray@harbourtea.co.uk | 01HX6 | Ray | Hay | | SUBSCRIBED | 2022-01-01T10:00:00+00:00 | ['USER_SUPPRESSED'] | | | 2022-01-01T10:00:00+00:00 -> imported - Email Suppressions`,
  'Klaviyo, the property $consent': `
    Email | First Name | $consent | $consent_timestamp
    ada@wool.co.uk | Ada | ["email", "sms"] | 2021-01-02 10:00:00
    bea@wool.co.uk | Bea | ["email"] | 2021-01-02 10:00:00
    cal@wool.co.uk | Cal | | `,
  'Brevo, contacts': `
    CONTACT ID;EMAIL;FIRSTNAME;LASTNAME;SMS;OPT_IN;DOUBLE_OPT-IN;EMAIL_BLACKLISTED;SMS_BLACKLISTED;ADDED_TIME;MODIFIED_TIME
    1;tess@milltown.co.uk;Tess;Holt;447700900001;Yes;2;No;Yes;03-02-2022 10:00:00;03-02-2022 10:00:00
    2;uma@milltown.co.uk;Uma;Bell;;Yes;1;Yes;No;03-02-2022 10:00:00;13-02-2022 10:00:00 -> imported - EMAIL_BLACKLISTED
    3;vic@milltown.co.uk;Vic;Shaw;;No;2;No;No;03-02-2022 10:00:00;03-02-2022 10:00:00 -> imported - OPT_IN`,
  'Brevo, subscription status': `
    EMAIL;PRENOM;Email marketing status;SMS marketing status
    tess@milltown.co.uk;Tess;Subscribed;Blocklisted
    uma@milltown.co.uk;Uma;Blocklisted;Subscribed -> imported - Email marketing status
    vic@milltown.co.uk;Vic;Unsubscribed; -> unsubscribed - Email marketing status`,
  'Dotdigital, contacts': `
    id | Email | OptInType | EmailType | Status | FIRSTNAME | LASTSUBSCRIBED | CONSENTURL
    11 | amy@northgate.co.uk | Double | Html | Subscribed | AMY | 2021-01-01T09:00:00 |
    12 | ben@northgate.co.uk | Single | Html | Unsubscribed | BEN | 2021-01-01T09:00:00 | -> unsubscribed - Status
    13 | cat@northgate.co.uk | Unknown | PlainText | HardBounced | CAT | 2021-01-01T09:00:00 | -> bounced - Status
    14 | dan@northgate.co.uk | Unknown | Html | SoftBounced | DAN | 2021-01-01T09:00:00 |
    15 | eve@northgate.co.uk | Unknown | Html | IspComplained | EVE | 2021-01-01T09:00:00 | -> complained - Status
    16 | fin@northgate.co.uk | Unknown | Html | DirectComplaint | FIN | 2021-01-01T09:00:00 | -> complained - Status
    17 | gil@northgate.co.uk | Unknown | Html | GlobalSuppression | GIL | 2021-01-01T09:00:00 | -> imported - Status
    18 | hob@northgate.co.uk | Unknown | Html | PendingOptIn | HOB | 2021-01-01T09:00:00 | -> imported - Status
    19 | ivy@northgate.co.uk | Unknown | Html | NotAllowed | IVY | 2021-01-01T09:00:00 | -> unsubscribed - Status
    20 | joy@northgate.co.uk | Unknown | Html | Deleted | JOY | 2021-01-01T09:00:00 | -> imported - Status
    21 | kit@northgate.co.uk | Unknown | Html | MailBlocked | KIT | 2021-01-01T09:00:00 | -> imported - Status`,
  'Dotdigital, suppressed contacts': `
    Email | Reason for suppression | Date removed
    amy@northgate.co.uk | Unsubscribed | 03/04/2023 10:00 -> unsubscribed 2023-04-03 Reason for suppression
    ben@northgate.co.uk | Hard bounced | 14/04/2023 10:00 -> bounced 2023-04-14 Reason for suppression
    cat@northgate.co.uk | ISP complained | 30/04/2023 10:00 -> complained 2023-04-30 Reason for suppression`,
  'Salesforce, Data Loader': `
    ID | FIRSTNAME | LASTNAME | EMAIL | HASOPTEDOUTOFEMAIL | HASOPTEDOUTOFFAX | DONOTCALL | EMAILBOUNCEDREASON | EMAILBOUNCEDDATE | ISDELETED | CREATEDDATE
    0031 | Ali | Noor | ali@noor.co.uk | false | false | true | | | false | 2019-01-01T10:00:00.000Z
    0032 | Bob | Pike | bob@pike.co.uk | true | false | false | | | false | 2019-01-01T10:00:00.000Z -> unsubscribed - HASOPTEDOUTOFEMAIL
    0033 | Cyn | Rook | cyn@rook.co.uk | false | true | false | 550 5.1.1 user unknown | 2023-06-30T23:30:00.000Z | false | 2019-01-01T10:00:00.000Z -> bounced 2023-07-01 EMAILBOUNCEDDATE
    0034 | Dee | Swan | dee@swan.co.uk | false | false | false | | | true | 2019-01-01T10:00:00.000Z -> imported - ISDELETED
    0035 | Eli | Toms | eli@toms.co.uk | true | false | false | smtp;550 mailbox unavailable | 2022-03-09T12:00:00.000Z | false | 2019-01-01T10:00:00.000Z -> unsubscribed 2022-03-09 HASOPTEDOUTOFEMAIL`,
  'Salesforce, a report': `
    First Name | Last Name | Email | Email Opt Out | Fax Opt Out | Do Not Call | Lead Status
    Ali | Noor | ali@noor.co.uk | 0 | 1 | 1 | Open - Not Contacted
    Bob | Pike | bob@pike.co.uk | 1 | 0 | 0 | Working - Contacted -> unsubscribed - Email Opt Out
    Cyn | Rook | cyn@rook.co.uk | 0 | 0 | 0 | Closed - Converted`,
  'Salesforce Marketing Cloud, all subscribers': `
    Subscriber Key | Email Address | Status | Date Added | Date Unsubscribed | Email Type
    k1 | wyn@tor.co.uk | Active | 1/31/2022 10:00:00 AM | | HTML
    k2 | xen@tor.co.uk | Unsubscribed | 1/31/2022 10:00:00 AM | 3/14/2023 4:05:06 PM | HTML -> unsubscribed 2023-03-14 Date Unsubscribed
    k3 | yan@tor.co.uk | Bounced | 1/31/2022 10:00:00 AM | | HTML -> bounced - Status
    k4 | zoe@tor.co.uk | Held | 1/31/2022 10:00:00 AM | 4/5/2023 1:00:00 AM | HTML -> unsubscribed 2023-04-05 Date Unsubscribed`,
  'Shopify, customers': `
    Customer ID | First Name | Last Name | Email | Accepts Email Marketing | Default Address Company | Phone | Accepts SMS Marketing | Total Spent | Total Orders | Note | Tax Exempt | Tags
    '601 | Fay | Cole | fay@cole.co.uk | yes | | | no | 20.00 | 1 | | no | trade
    '602 | Geo | Dean | geo@dean.co.uk | no | | | yes | 0.00 | 0 | | no | -> imported - Accepts Email Marketing
    '603 | Hew | Eden | hew@eden.co.uk | | | | no | 12.50 | 1 | asked twice | yes | newsletter`,
  'Shopify, customers of earlier years': `
    First Name | Last Name | Email | Company | Accepts Marketing | Total Spent | Tax Exempt
    Fay | Cole | fay@cole.co.uk | | yes | 20.00 | no
    Geo | Dean | geo@dean.co.uk | | no | 0.00 | no -> imported - Accepts Marketing`,
  'Constant Contact, contacts': `
    Email address | First name | Last name | Email status | Email permission status | Email update source | Confirmed Opt-Out Date | Confirmed Opt-Out Source | Confirmed Opt-Out Reason | Email Lists | Created At
    rob@moor.co.uk | Rob | Moor | Active | Express | Contact | | | | General Interest | 2021-03-01 10:00:00
    sal@moor.co.uk | Sal | Moor | Active | Implied | Account | | | | General Interest | 2021-03-01 10:00:00
    tam@moor.co.uk | Tam | Moor | Unsubscribed | Unsubscribed | Contact | 2023-12-25 08:00:00 | Contact | No longer interested | | 2021-03-01 10:00:00 -> unsubscribed 2023-12-25 Confirmed Opt-Out Date
    urs@moor.co.uk | Urs | Moor | Awaiting confirmation | Pending confirmation | Account | | | | | 2021-03-01 10:00:00 -> imported - Email status
    val@moor.co.uk | Val | Moor | No Permissions Set | Not Set | Account | | | | | 2021-03-01 10:00:00 -> imported - Email status`,
  'Campaign Monitor, subscribers': `
    Email Address | Name | State | Date Subscribed | Date Unsubscribed | Consent to Track
    wes@hythe.co.uk | Wes Dale | Active | 2021-03-01 10:00 | | No
    xia@hythe.co.uk | Xia Dale | Unsubscribed | 2021-03-01 10:00 | 2022-10-30 12:00 | Yes -> unsubscribed 2022-10-30 Date Unsubscribed
    yas@hythe.co.uk | Yas Dale | Bounced | 2021-03-01 10:00 | | Unspecified -> bounced - State
    zak@hythe.co.uk | Zak Dale | Deleted | 2021-03-01 10:00 | | Unspecified -> imported - State
    abe@hythe.co.uk | Abe Dale | Unconfirmed | 2021-03-01 10:00 | | Yes -> imported - State`,
  'ActiveCampaign, contacts': `
    Email | First Name | Last Name | Phone | Status | Date Subscribed | Date Unsubscribed | Unsubscribe Reason | bounced_hard | bounced_soft | bounced_date | Tags | IP
    ann@stile.co.uk | Ann | Stile | | Active | 2020-05-06 | | | 0 | 2 | 0000-00-00 | customer, VIP | 0
    ben@stile.co.uk | Ben | Stile | | Unsubscribed | 2020-05-06 | 2021-07-08 | Too many emails | 0 | 0 | 0000-00-00 | | 0 -> unsubscribed 2021-07-08 Date Unsubscribed
    con@stile.co.uk | Con | Stile | | Bounced | 2020-05-06 | | | 3 | 0 | 2021-01-01 | | 0 -> bounced 2021-01-01 bounced_date
    dot@stile.co.uk | Dot | Stile | | Unconfirmed | 2020-05-06 | | | 0 | 0 | 0000-00-00 | | 0 -> imported - Status`,
  'Eventbrite, attendees': `
    Order # | Order Date | First Name | Surname | Email | Quantity | Ticket Type | Attendee Status | Order Type | Buyer Email | Would you like to receive our newsletter? | Do you have any access needs?
    881 | 2024-05-01 | Ida | Flint | ida@flint.co.uk | 1 | Early bird | Attending | Paid Order | ida@flint.co.uk | Yes | No
    882 | 2024-05-01 | Jed | Flint | jed@flint.co.uk | 1 | Standard | Attending | Free Order | ida@flint.co.uk | No | No -> imported - Would you like to receive our newsletter?
    883 | 2024-05-02 | Kay | Flint | kay@flint.co.uk | 1 | Standard | Not Attending | Free Order | kay@flint.co.uk | | Wheelchair`,
  'Eventbrite, a tick against mail': `
    Order # | Email | Attendee Status | Please tick if you do not wish to receive marketing emails from us
    901 | ida@flint.co.uk | Attending |
    902 | jed@flint.co.uk | Deleted | x -> unsubscribed - Please tick if you do not wish to receive marketing emails from us
    903 | kay@flint.co.uk | Attending | ✓ -> unsubscribed - Please tick if you do not wish to receive marketing emails from us`,
  'Outlook, contacts': `
    First Name | Last Name | E-mail Address | E-mail Type | E-mail Display Name | E-mail 2 Address | Categories | Private | Sensitivity | Priority | Notes | Language | Gender
    Lou | Peel | lou@peel.co.uk | SMTP | Lou Peel | | Suppliers | FALSE | Normal | Normal | Do not call before 10 | | Unspecified
    Mo | Rigg | mo@rigg.co.uk | SMTP | Mo Rigg | | Clients;Do not email | FALSE | Normal | Normal | | | Unspecified -> unsubscribed - Categories
    Ned | Sykes | ned@sykes.co.uk | SMTP | Ned Sykes | | | TRUE | Private | High | | | Unspecified`,
  'Google Contacts': `
    First Name | Last Name | Organization Name | Birthday | Notes | Labels | E-mail 1 - Label | E-mail 1 - Value | Phone 1 - Value
    Oz | Tell | Tell Ltd | | | * myContacts ::: Customers | * Work | oz@tell.co.uk | 01632 960001
    Pru | Unwin | | 1980-02-03 | | * myContacts ::: Unsubscribed | * Home | pru@unwin.co.uk | -> unsubscribed - Labels
    Quin | Vane | | | | * myContacts | * | quin@vane.co.uk |`,
  'WooCommerce, customers': `
    ID | Username | Email | First name | Role | Registered | Newsletter opt-in | Paying customer | Orders count
    1 | rae | rae@lees.co.uk | Rae | customer | 2022-01-01 00:00:00 | yes | 1 | 3
    2 | sid | sid@lees.co.uk | Sid | customer | 2022-01-01 00:00:00 | no | 0 | 0 -> imported - Newsletter opt-in`,
  'WooCommerce, subscriptions': `
    Subscription | Billing Email | Subscription Status | Next Payment | End Date
    77 | rae@lees.co.uk | active | 2026-12-01 |
    78 | sid@lees.co.uk | on-hold | |
    79 | ted@lees.co.uk | cancelled | | 2025-01-01
    80 | una@lees.co.uk | pending-cancel | | 2026-12-31`,
  'MailerLite, subscribers': `
    Subscriber | Name | Status | Subscribed | Unsubscribed | Location | Sent | Opens
    tia@bream.co.uk | Tia | Active | 2021-01-01 10:00:00 | | London | 12 | 3
    uri@bream.co.uk | Uri | Unsubscribed | 2021-01-01 10:00:00 | 2022-02-02 11:00:00 | Leeds | 12 | 3 -> unsubscribed 2022-02-02 Unsubscribed
    viv@bream.co.uk | Viv | Unconfirmed | 2021-01-01 10:00:00 | | | 0 | 0 -> imported - Status
    wim@bream.co.uk | Wim | Bounced | 2021-01-01 10:00:00 | | | 1 | 0 -> bounced - Status
    xan@bream.co.uk | Xan | Junk | 2021-01-01 10:00:00 | | | 1 | 0 -> complained - Status`,
  'Zoho CRM, contacts': `
    Record Id | First Name | Last Name | Email | Email Opt Out | SMS Opt Out | Unsubscribed Mode | Unsubscribed Time | Created Time
    zcrm_1 | Yul | Ash | yul@ash.co.uk | FALSE | TRUE | | | 2021-06-07 10:00:00
    zcrm_2 | Zia | Ash | zia@ash.co.uk | TRUE | FALSE | Consent form | 2023-03-04 10:11:12 | 2021-06-07 10:00:00 -> unsubscribed 2023-03-04 Unsubscribed Time
    zcrm_3 | Ace | Ash | ace@ash.co.uk | TRUE | FALSE | Manual | | 2021-06-07 10:00:00 -> unsubscribed - Email Opt Out`,
  'Xero, contacts': `
    ContactName | AccountNumber | EmailAddress | FirstName | LastName | TaxNumber | AccountsReceivableTaxCodeName | DueDateBillDay | SendRemittance | IsArchived
    Bay Ltd | B1 | accounts@bay.co.uk | Bo | Bay | GB123 | 20% | 30 | TRUE | FALSE
    Cay Ltd | C1 | accounts@cay.co.uk | Cy | Cay | | 20% | | FALSE | TRUE -> imported - IsArchived`,
  'Wix, contacts': `
    First Name | Last Name | Email 1 | Phone 1 | Email subscriber status | SMS subscriber status | Last Activity | Labels
    Del | Eke | del@eke.co.uk | | Subscribed | Never subscribed | Signed in | Customers
    Eda | Fox | eda@fox.co.uk | | Unsubscribed | Subscribed | Unsubscribed from an email | -> unsubscribed - Email subscriber status
    Flo | Guy | flo@guy.co.uk | | Never subscribed | Never subscribed | Bought something | Customers -> imported - Email subscriber status`,
  'Squarespace, profiles': `
    Email | First Name | Last Name | Subscriber Since | Accepts Marketing | Mailing Lists | Order Count | Total Spent
    gem@holm.co.uk | Gem | Holm | 2022-01-01 | true | Newsletter | 2 | GBP 30.00
    hum@holm.co.uk | Hum | Holm | | false | | 0 | GBP 0.00 -> imported - Accepts Marketing`,
  'Dynamics 365, contacts': `
    Full Name | Email | Do not allow Emails | Do not allow Bulk Emails | Do not allow Mails | Do not allow Phone Calls | Do not allow Faxes | Status | Status Reason
    Iris Jebb | iris@jebb.co.uk | Allow | Allow | Do Not Allow | Do Not Allow | Allow | Active | Active
    Jack Kemp | jack@kemp.co.uk | Do Not Allow | Allow | Allow | Allow | Allow | Active | Active -> unsubscribed - Do not allow Emails
    Kath Lamb | kath@lamb.co.uk | Allow | Do Not Allow | Allow | Allow | Allow | Inactive | Inactive -> unsubscribed - Do not allow Bulk Emails`,
  'Pipedrive, people': `
    Person - Name | Person - Email - Work | Person - Marketing status | Person - Label
    Lee Mott | lee@mott.co.uk | Subscribed | Hot lead
    Mia Nunn | mia@nunn.co.uk | Unsubscribed | Customer -> unsubscribed - Person - Marketing status
    Ned Oram | ned@oram.co.uk | No consent | Cold lead -> imported - Person - Marketing status
    Orla Penn | orla@penn.co.uk | Archived | -> imported - Person - Marketing status`,
  'Intercom, users': `
    Name | Email | User ID | Signed up | Last seen | Unsubscribed from Emails | Marked email as spam | Has hard bounced
    Pat Quy | pat@quy.co.uk | 1 | 2021-01-01 | 2024-01-01 | false | false | false
    Roz Sims | roz@sims.co.uk | 2 | 2021-01-01 | 2024-01-01 | true | false | false -> unsubscribed - Unsubscribed from Emails
    Sam Tice | sam@tice.co.uk | 3 | 2021-01-01 | 2024-01-01 | true | true | false -> complained - Marked email as spam
    Tom Ure | tom@ure.co.uk | 4 | 2021-01-01 | 2024-01-01 | false | false | true -> bounced - Has hard bounced`,
  'Substack, subscribers': `
    email | active_subscription | expiry | plan | email_disabled | created_at | first_payment_at
    ulla@vale.co.uk | false | | other | false | 2022-05-01T10:00:00.000Z |
    vera@vale.co.uk | true | 2027-01-01T00:00:00.000Z | yearly | false | 2022-05-01T10:00:00.000Z | 2022-05-01T10:00:00.000Z
    walt@vale.co.uk | false | | other | true | 2022-05-01T10:00:00.000Z | -> imported - email_disabled`,
  'Kit (ConvertKit), subscribers': `
    id | first_name | email_address | status | created_at | tags
    1 | Xara | xara@wick.co.uk | active | 2022-01-01 10:00:00 UTC | buyers
    2 | Yves | yves@wick.co.uk | cancelled | 2022-01-01 10:00:00 UTC | -> unsubscribed - status
    3 | Zeno | zeno@wick.co.uk | bounced | 2022-01-01 10:00:00 UTC | -> bounced - status
    4 | Alma | alma@wick.co.uk | complained | 2022-01-01 10:00:00 UTC | -> complained - status`,
  'Customer.io, people': `
    id | email | created_at | unsubscribed | cio_subscription_preferences
    1 | bert@yule.co.uk | 1641031200 | false |
    2 | cleo@yule.co.uk | 1641031200 | true | -> unsubscribed - unsubscribed`,
  'MailUp, unsubscribed': `
    E-mail address | idList | OptOut_Date | optout_nl | optout_type
    dora@zell.it | 1 | 20110122T111244 | 161 | 3 -> unsubscribed 2011-01-22 OptOut_Date
    emil@zell.it | 1 | 20230929T235959 | | 1 -> unsubscribed 2023-09-29 OptOut_Date`,
  'CiviCRM, contacts': `
    Contact ID | Display Name | Email | Do Not Email | Do Not Mail | Do Not Phone | Do Not Sms | Do Not Trade | No Bulk Emails (User Opt Out) | On Hold | Deceased | Deceased Date
    1 | Finn Abel | finn@abel.org.uk | No | Yes | Yes | Yes | Yes | No | No | No |
    2 | Gwen Abel | gwen@abel.org.uk | Yes | No | No | No | No | No | No | No | -> unsubscribed - Do Not Email
    3 | Hugh Abel | hugh@abel.org.uk | No | No | No | No | No | Yes | No | No | -> unsubscribed - No Bulk Emails (User Opt Out)
    4 | Isla Abel | isla@abel.org.uk | No | No | No | No | No | No | On Hold Bounce | No | -> bounced - On Hold
    5 | Jock Abel | jock@abel.org.uk | No | No | No | No | No | No | No | Yes | 2021-11-05 -> imported 2021-11-05 Deceased Date`,
  "Raiser's Edge, constituents": `
    Constituent ID | Name | Preferred E-mail | Deceased | Deceased date | Requests no e-mail | Inactive | Gives anonymously
    1 | Kara Bold | kara@bold.co.uk | No | | No | No | No
    2 | Lars Bold | lars@bold.co.uk | Yes | 14/02/2020 | No | Yes | No -> imported 2020-02-14 Deceased date
    3 | Mara Bold | mara@bold.co.uk | No | | Yes | No | No -> unsubscribed - Requests no e-mail`,
  'Spektrix, customers': `
    Customer ID | First Name | Surname | Email | Email Contact Preference | SMS Contact Preference | Post Contact Preference
    1 | Noor | Cane | noor@cane.co.uk | Yes | No | No
    2 | Opal | Cane | opal@cane.co.uk | No | Yes | Yes -> imported - Email Contact Preference
    3 | Petr | Cane | petr@cane.co.uk | | | `,
  'ZeroBounce, a verified list': `
    Email Address | First Name | ZB Status | ZB Sub Status | ZB Free Email
    quil@dene.co.uk | Quil | valid | | FALSE
    ruth@dene.co.uk | Ruth | do_not_mail | role_based | FALSE -> unsubscribed - ZB Status
    saul@dene.co.uk | Saul | abuse | | FALSE -> complained - ZB Status
    tilo@dene.co.uk | Tilo | catch-all | | FALSE
    ursa@dene.co.uk | Ursa | invalid | mailbox_not_found | FALSE -> imported - ZB Status
    vita@dene.co.uk | Vita | unknown | | TRUE`,
  'Postmark, suppressions': `
    EmailAddress | SuppressionReason | Origin | CreatedAt
    wren@esk.co.uk | HardBounce | Recipient | 2024-01-01T10:00:00Z -> bounced - SuppressionReason
    xavi@esk.co.uk | SpamComplaint | Recipient | 2024-01-01T10:00:00Z -> complained - SuppressionReason
    yoko@esk.co.uk | ManualSuppression | Customer | 2024-01-01T10:00:00Z -> imported - SuppressionReason`,
  'rasa.io, contacts': `
    ID | First Name | Last Name | Email | Subscribed | Unsubscribe Reason | Created | Updated
    1 | Zane | Firth | zane@firth.co.uk | 1 | | 2021-01-01 | 2022-01-01
    2 | Abby | Firth | abby@firth.co.uk | 0 | Unsubscribed | 2021-01-01 | 2022-01-01 -> unsubscribed - Unsubscribe Reason
    3 | Bram | Firth | bram@firth.co.uk | 0 | Bounce | 2021-01-01 | 2022-01-01 -> bounced - Unsubscribe Reason
    4 | Cora | Firth | cora@firth.co.uk | 0 | | 2021-01-01 | 2022-01-01 -> imported - Subscribed`,
  'a list kept by hand': `
    Name | E-mail | Tel | Unsubscribed? | Deceased | Notes
    Dai Gower | dai@gower.cymru | 01632 960002 | | | rang back
    Elin Gower | elin@gower.cymru | | x | | -> unsubscribed - Unsubscribed?
    Ffion Gower | ffion@gower.cymru | | Yes - 12/03/2024 by phone | | -> unsubscribed 2024-03-12 Unsubscribed?
    Glyn Gower | glyn@gower.cymru | | | Y | widow is elin -> imported - Deceased
    Huw Gower | huw@gower.cymru | | N | N |
    Ifan Gower | ifan@gower.cymru | | no - wants to stay | |
    Jac Gower | jac@gower.cymru | | 3rd Mar 2023 | | -> unsubscribed 2023-03-03 Unsubscribed?`,
  'a spreadsheet with numbers for dates': `
    Email | Opted out | Opted out on
    kai@howe.co.uk | FALSE |
    lia@howe.co.uk | TRUE | 45354 -> unsubscribed 2024-03-03 Opted out on
    mac@howe.co.uk | TRUE | 45354.52 -> unsubscribed 2024-03-03 Opted out on`,
  'a charity with several channels': `
    Supporter | Email | Email opt in | Mail opt in | Phone opt in | SMS opt-out | Gift aid
    Nia Iles | nia@iles.co.uk | Opted in | Opted out | Opted out | Yes | Yes
    Ola Iles | ola@iles.co.uk | Opted out | Opted in | Opted in | No | No -> unsubscribed - Email opt in
    Pam Iles | pam@iles.co.uk | No response | Opted in | | No | No`,
};

interface Line {
  cells: string[];
  said: string;
}

function linesOf(text: string): [header: string[], lines: Line[]] {
  const [header = [], ...lines] = text
    .trim()
    .split('\n')
    .map((line) => {
      const [row = '', said = ''] = line.split('->');
      return {
        cells: row.split(line.includes('|') ? '|' : ';').map((cell) => cell.trim()),
        said: said.trim(),
      };
    })
    .map((line, at) => (at === 0 ? line.cells : line)) as [string[], ...Line[]];
  return [header, lines as Line[]];
}

const now = Date.parse('2026-11-22T12:00:00Z');

describe.each(Object.entries(files))('%s', (_, text) => {
  const [header, lines] = linesOf(text);
  const rows = lines.map(({ cells }) => cells);
  const { columns, unclear } = recogniseOptOuts(header, rows);

  it('says of each row who must not be mailed, since when and where it is said', () => {
    const read = createOptOutReader(columns, now);
    const said = rows.map((row) => {
      const found = read(row);
      return found === null ? '' : `${found.reason} ${found.date ?? '-'} ${header[found.column]}`;
    });
    expect(said).toEqual(lines.map((line) => line.said));
  });

  it('needs nobody to ask', () => {
    expect(unclear).toEqual([]);
  });
});
