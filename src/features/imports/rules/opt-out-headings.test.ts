import { describe, expect, it } from 'vitest';
import { createOptOutReader, recogniseOptOuts } from './opt-outs.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const lines = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

/** A column of its own, in a file with addresses. */
function recognise(heading: string, cells: readonly string[]) {
  const rows = cells.map((cell, at) => [`p${at}@fernbank.co.uk`, cell]);
  const { columns, unclear, watched } = recogniseOptOuts(['Email', heading], rows);
  const read = createOptOutReader(columns, now);
  return { columns, unclear, watched, said: rows.map((row) => read(row)?.reason ?? '') };
}

const cellsOf = {
  'yes and no': ['Yes', 'No', 'Yes', ''],
  booleans: ['TRUE', 'FALSE', 'FALSE', ''],
  'ones and noughts': ['1', '0', '0', ''],
  times: ['2024-03-03 10:00:00', '2022-01-31 00:00:01', '', ''],
  dates: ['03/03/2024', '31/01/2022', '', ''],
  words: ['North', 'South', 'North', ''],
  sentences: ['Asked in the shop', 'Rang on Monday', 'Not interested in boats', ''],
  names: ['Olive Hart', 'Rhys Pugh', 'Iona Baird', ''],
  numbers: ['12', '7', '230', ''],
};

describe('headings of columns in which yes means do not mail', () => {
  const headings = lines(`
    Unsubscribed
    Unsubscribe
    Unsubscribed?
    Is Unsubscribed
    is_unsubscribed
    isUnsubscribed
    UNSUBSCRIBED
    Un-subscribed
    Email Unsubscribed
    Unsubscribed from emails
    Unsubscribed from all email
    Unsubscribed from newsletter
    Global unsubscribe
    unsub
    Opt out
    Opt-Out
    OptOut
    opt_out
    optout
    OPTOUT
    Opted out
    OptedOut
    Opt Out (Y/N)
    Opt out?
    Email Opt Out
    E-mail opt-out
    Email_Opt_Out__c
    emailoptout
    EMAILOPTOUT
    HasOptedOutOfEmail
    HASOPTEDOUTOFEMAIL
    hs_email_optout
    Opted out of email
    Opted out of email: Marketing Information
    Opt out of marketing
    Opted out of newsletter
    Marketing opt out
    Direct marketing opt-out
    Mailing opt out
    GDPR opt out
    Do not email
    Do Not E-Mail
    DoNotEmail
    donotemail
    DO_NOT_EMAIL
    Don't email
    Don’t email
    Do not bulk email
    donotbulkemail
    Do not send email
    Do not contact
    Do Not Contact
    DoNotContact
    Do not mail
    Do not market
    Do not send marketing
    Do not solicit
    DNC
    dnc
    DNE
    No email
    No bulk email
    No marketing
    Requests no e-mail
    Stop emails
    No longer contact
    Please do not send me marketing emails
    I do not wish to receive emails
    I would not like to receive newsletters
    Remove from mailing list
    Removed from list
    Exclude from email
    Consent withdrawn
    Withdrawn consent
    Objected to marketing
    Blacklisted
    Blocklisted
    Black listed
    block_listed
    EMAIL_BLACKLISTED
    On blacklist
    Suppressed
    Email suppressed
    Is suppressed
    Deceased
    Is Deceased
    Deceased flag
    Died
    GDPR removed
    GDPR deleted
    GDPR erased
    Right to be forgotten
    Forgotten
    Erased
    Removed
    Deleted
    IsDeleted
    is_deleted
    Archived
    Is archived
    Bounced
    Email bounced
    Hard bounce
    Hard bounced
    HardBounced
    hard_bounce
    Has hard bounced
    Bounced (hard)
    Undeliverable
    Email undeliverable
    Invalid email
    Email invalid
    email_disabled
    Complained
    Spam complaint
    Reported as spam
    Marked as spam
    Marked email as spam
    Spam
    Cleaned
    Not subscribed
    Non-subscribed
    Not opted in
    No consent
  `);

  it.each(headings)('%s', (heading) => {
    for (const cells of [cellsOf['yes and no'], cellsOf.booleans, cellsOf['ones and noughts']]) {
      const { said, unclear } = recognise(heading, cells);
      expect(unclear).toEqual([]);
      expect(said.map((reason) => reason !== '')).toEqual(
        cells.map((cell) => ['Yes', 'TRUE', '1'].includes(cell)),
      );
    }
  });

  it('are read so in a file that says no in every row looked at, and yes further down', () => {
    for (const heading of headings) {
      const { columns } = recognise(heading, ['No', 'No', '']);
      const read = createOptOutReader(columns, now);
      expect([heading, read(['', 'Yes'])?.reason ?? '', read(['', 'No'])]).toEqual([
        heading,
        expect.stringMatching(/./),
        null,
      ]);
    }
  });

  it('are read so where every row looked at is blank', () => {
    for (const heading of headings) {
      const { columns } = recognise(heading, ['', '', '']);
      const read = createOptOutReader(columns, now);
      expect([heading, read(['', 'x'])?.reason ?? '', read(['', 'no'])]).toEqual([
        heading,
        expect.stringMatching(/./),
        null,
      ]);
    }
  });
});

describe('headings of columns in which a date means do not mail', () => {
  it.each(
    lines(`
      UNSUB_TIME
      CLEAN_TIME
      Unsubscribed at
      unsubscribed_at
      unsubscribedAt
      Unsubscribed on
      Unsubscribe date
      Date unsubscribed
      Date of unsubscribe
      Unsubscription date
      Unsubscribed Time
      Last unsubscribed date
      Unsubscribed since
      Unsubscribed
      Opted out on
      Opt-out date
      OptOut_Date
      Confirmed Opt-Out Date
      Email opt out date
      EmailBouncedDate
      Bounced at
      Bounce date
      Last bounce date
      Hard bounce date
      Hard bounced
      Date of death
      Deceased date
      Date deceased
      Died on
      Suppressed at
      Suppression date
      Blacklisted on
      Removed at
      Date removed
      Deleted at
      deleted_at
      Archived on
      GDPR erased on
      Complained at
      Spam complaint date
      Do not email since
      Consent withdrawn on
    `),
  )('%s', (heading) => {
    for (const cells of [cellsOf.times, cellsOf.dates]) {
      const { said, unclear } = recognise(heading, cells);
      expect(unclear).toEqual([]);
      expect(said.map((reason) => reason !== '')).toEqual([true, true, false, false]);
    }
    const { said } = recognise(heading, ['2024-03-03', '0000-00-00', 'n/a', '-', 'NULL', '0', 'FALSE', '""']);
    expect(said.map((reason) => reason !== '')).toEqual([true, ...Array(7).fill(false)]);
  });
});

describe('headings of columns in which any words mean do not mail', () => {
  it.each(
    lines(`
      UNSUB_REASON
      UNSUB_CAMPAIGN_TITLE
      Unsubscribe reason
      Reason for unsubscribing
      Unsubscribed Mode
      Unsubscribed by
      Opt-out reason
      Confirmed Opt-Out Reason
      Confirmed Opt-Out Source
      EmailBouncedReason
      Bounce reason
      Email hard bounce reason
      hs_email_hard_bounce_reason_enum
      Suppression reason
      Reason suppressed
      Blacklist reason
      Removal reason
      Reason removed
    `),
  )('%s', (heading) => {
    const { said, unclear } = recognise(heading, [
      'Too many emails',
      'Mailbox gone (550)',
      '',
      'none',
      'N/A',
      '-',
    ]);
    expect(unclear).toEqual([]);
    expect(said.map((reason) => reason !== '')).toEqual([true, true, false, false, false, false]);
  });
});

describe('headings of columns in which no means do not mail', () => {
  it.each(
    lines(`
      Subscribed
      subscribed
      Is subscribed
      Email subscribed
      Subscribed to newsletter
      Newsletter subscribed
      Opt in
      Opt-in
      OptIn
      OPT_IN
      opted_in
      Opted in
      Opted-in?
      Email opt in
      Email Opt-In (Y/N)
      emailoptin
      Marketing opt-in
      Newsletter opt in
      Opt in to marketing
      Opted in to emails
      Accepts Marketing
      Accepts Email Marketing
      accepts_marketing
      Accept marketing emails
      Email marketing consent
      Marketing consent
      Consent to marketing
      Consent to email
      Email consent
      Consent
      Consent given
      GDPR consent
      Marketing permission
      Email permission
      Permission to email
      Permission
      Newsletter
      Newsletters
      E-newsletter
      Mailing list
      On mailing list
      Email updates
      Email marketing
      Marketing emails
      Marketing
      Can email
      Can we email you?
      May we contact you by email?
      OK to email
      Ok to contact
      Email ok
      Allow email
      Receive emails
      Receives newsletter
      Receive marketing emails
      Wants newsletter
      Would you like to receive our newsletter?
      Happy to receive marketing emails
      Send newsletter
      Sign up to newsletter
      Join our mailing list
      Keep me informed
      Agree to marketing
      Agreed to receive emails
      Contactable by email
      Emailable
      Mailable
      Email preference
      Marketing preferences
      Email contact preference
      Not unsubscribed
    `),
  )('%s', (heading) => {
    for (const cells of [cellsOf['yes and no'], cellsOf.booleans, cellsOf['ones and noughts']]) {
      const { said, unclear } = recognise(heading, cells);
      expect(unclear).toEqual([]);
      expect(said).toEqual(cells.map((cell) => (['No', 'FALSE', '0'].includes(cell) ? 'imported' : '')));
    }
    // Filled with dates they say when somebody agreed.
    expect(recognise(heading, cellsOf.times)).toMatchObject({ columns: [], unclear: [] });
  });
});

/** What cells of a status may say. */
const statuses = ['Subscribed', 'Unsubscribed', 'Bounced', 'Active', ''];

describe('headings of columns whose words say who must not be mailed', () => {
  it.each(
    lines(`
      Status
      State
      Email status
      email_status
      EmailStatus
      E-mail status
      Email state
      Subscription status
      SubscriptionStatus
      Subscriber status
      Subscribed status
      Contact status
      Member status
      List status
      Mailing status
      Marketing status
      Newsletter status
      Email marketing status
      Email subscription status
      Email subscriber status
      Email permission status
      Consent status
      Opt-in status
      Email channel status
      Mailchimp status
      Status (email)
      Type
      Subscriber type
      Subscription
      Email Marketing Consent
      Email preferences
      Tags
      Labels
      Lists
      Groups
      Subscribed/Unsubscribed
      Opt-in/Opt-out
      Result
    `),
  )('%s', (heading) => {
    const { said, unclear } = recognise(heading, statuses);
    expect(unclear).toEqual([]);
    expect(said).toEqual(['', 'unsubscribed', 'bounced', '', '']);
  });
});

describe('headings that say nothing about mailing, whatever stands below', () => {
  const headings = lines(`
    Phone opt out
    Telephone opt out
    SMS opt out
    SMS Opt-in
    Text opt out
    Opted out of texts
    Mobile opt out
    Fax opt out
    HasOptedOutOfFax
    Do not call
    DoNotCall
    Do not phone
    Do not text
    Do not sms
    Do not post
    Do not fax
    Postal opt out
    Post opt-in
    Direct mail opt out
    No direct mail
    WhatsApp opt in
    Push opt in
    Accepts SMS Marketing
    SMS Marketing Consent
    SMS consent
    Phone consent
    Telephone Preference Service
    OPTIN_TIME
    OPTIN_IP
    CONFIRM_TIME
    CONFIRM_IP
    LAST_CHANGED
    Subscribed date
    Subscribed at
    Subscribed on
    Subscription date
    Date subscribed
    Subscriber since
    Opt-in date
    Opted in at
    Opt-in source
    Opt-in method
    Opt-in IP
    Opt in form
    Double opt-in
    DOUBLE_OPT-IN
    Confirmed opt in date
    Email Marketing Consent Timestamp
    Consent date
    Consent source
    Consent to track
    Cookie consent
    Photo consent
    Parental consent
    Medical consent
    Consent form received
    Data sharing consent
    Terms accepted
    Accepts returns
    Accepts cookies
    Marketing contact status
    Marketing contact
    Marketing manager
    Marketing source
    Marketing budget
    Lifecycle stage
    Created at
    Created Date
    Last opened
    Last email opened
    Last email sent
    Email sent
    Emails sent
    Emails delivered
    Email opened
    Email verified
    Email confirmed
    Email type
    Email template
    Email count
    Has email
    Email
    E-mail address
    Mail
    Mailing address
    Mailing street
    Bounce rate
    Bounces
    Number of bounces
    Bounce count
    Soft bounce
    Soft bounces
    Soft bounced
    Bounced cheque
    Bounced payments
    Unsubscribe link
    Unsubscribe URL
    Unsubscribe token
    Unsubscribe code
    Unsubscribe page
    Unsubscribes
    Total unsubscribes
    Unsubscribe rate
    Pension opt out
    Working time opt out
    Union opt out
    Opt out of cookies
    HasOptedOutTracking
    National data opt-out
    Option
    Options
    Optician
    Adopted
    Adoption date
    Shop time
    Laptop out
    Complaint
    Complaint date
    Complaints
    Number of complaints
    Spouse deceased
    Pet deceased
    Removed from stock
    Account deleted by
    Deleted items
    Last cleaned
    Cleaning day
    Suppressed noise level
    Active
    active_subscription
    Subscription type
    Subscription plan
    Subscription renewal date
    Subscription price
    Newsletter edition
    Newsletter sent
    Received newsletter
    May newsletter
    Contact
    Contact name
    Contact me about
    Contact number
    Do you drive?
    Do you have an email address?
    Not attending
    No. of employees
    No of emails sent
    No
    Notes
    Name
    First Name
    Date
    Date of birth
    Birthday
    Gender
    Country
    County
    Region
    Member
    Membership number
    VIP
    Paid
    Blocked
    Blocked account
    Disabled
    Inactive
    Gift aid
    Tax Exempt
    Attendee #
    Order Date
    Total Spent
    Company
    Job Title
    Website
    Language
    Customer ID
    Private
    Sensitivity
  `);

  it(`${headings.length} of them`, () => {
    const wrong = headings.flatMap((heading) =>
      Object.entries(cellsOf).flatMap(([kind, cells]) => {
        const { columns, unclear } = recognise(heading, cells);
        return columns.length + unclear.length === 0 ? [] : [`${heading}: ${kind}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe('a vague heading above words about something else', () => {
  const columns: [heading: string, ...cells: string[]][] = [
    ['Status', 'Married', 'Single', 'Widowed'],
    ['Status', 'Open', 'Closed', 'Pending'],
    ['Status', 'Paid', 'Unpaid', 'Overdue'],
    ['Status', 'Paid', 'Bounced', 'Cleared'],
    ['Status', 'VIP', 'Gold', 'Silver'],
    ['Status', 'Active', 'Inactive', 'Archived'],
    ['Status', 'Active', 'Lapsed', 'Deleted'],
    ['Status', 'New', 'Contacted', 'Qualified', 'Lost'],
    ['Status', 'Live', 'Draft', 'Removed'],
    ['Status', 'Yes', 'No', ''],
    ['Status', 'TRUE', 'FALSE', ''],
    ['Status', '1', '0', '2'],
    ['Status', 'Employed', 'Retired', 'Student'],
    ['Status', 'Confirmed', 'Pending', 'Cancelled'],
    ['Status', '2024-01-01', '2024-01-02', ''],
    ['State', 'Texas', 'Ohio', ''],
    ['State', 'enabled', 'disabled', 'invited'],
    ['Order status', 'Complete', 'Pending', 'Refunded'],
    ['Payment status', 'Paid', 'Bounced', 'Pending'],
    ['Marital status', 'Single', 'Married', 'Divorced'],
    ['Lead status', 'Open', 'Closed', 'Archived'],
    ['Membership status', 'Active', 'Expired', 'Pending'],
    ['Subscription status', 'active', 'cancelled', 'on-hold'],
    ['Subscription status', 'trialing', 'past_due', 'active'],
    ['Subscription', 'Premium', 'Basic', 'Premium'],
    ['Attendee Status', 'Attending', 'Not Attending', 'Deleted'],
    ['Account status', 'Enabled', 'Disabled', 'Pending'],
    ['Company status', 'Active', 'Dissolved', 'Liquidation'],
    ['Type', 'Customer', 'Supplier', 'Prospect'],
    ['Type', 'Hard', 'Soft', 'Hard'],
    ['Contact type', 'Email', 'Phone', 'Email'],
    ['Result', 'Pass', 'Fail', 'Pass'],
    ['Tags', 'VIP', 'VIP, trade', 'paid; pending'],
    ['Groups', 'Archived members', 'Deleted items', 'Unsubscribed members club'],
    ['Categories', 'Suppliers', 'Family;Friends', ''],
    ['Lists', 'Spring fair', 'Autumn news', ''],
    ['Newsletter', 'Weekly', 'Monthly', 'Weekly'],
    ['Newsletter', 'Spring 2024', 'Autumn 2024', ''],
    ['Mailing list', 'Trade', 'Public', 'Trade'],
    ['Marketing', 'Print', 'Web', 'Print'],
    ['Consent', 'Signed form by post', 'Asked at the desk', 'Rang'],
    ['Permission', 'Editor', 'Viewer', 'Editor'],
    ['Preference', 'Vegetarian', 'Vegan', ''],
    ['Contact preference', 'Phone', 'Post', 'Email'],
    ['Unsubscribe', 'https://fernbank.co.uk/u/1', 'https://fernbank.co.uk/u/2', ''],
  ];
  it.each(columns)('%s: %s, %s', (heading, ...cells) => {
    const { columns: read, unclear, watched } = recognise(heading, cells);
    expect({ read, unclear }).toEqual({ read: [], unclear: [] });
    const reader = createOptOutReader(watched, now);
    expect(cells.map((cell) => reader(['', cell]))).toEqual(cells.map(() => null));
  });

  it('is still heard when it speaks of mail further down, unless it is about money', () => {
    const heard = columns.filter(([heading, ...cells]) => {
      const reader = createOptOutReader(recognise(heading, cells).watched, now);
      expect(reader(['', 'Archived'])).toBeNull();
      return reader(['', 'Unsubscribed'])?.reason === 'unsubscribed';
    });
    const money = /payment|order|paid|refunded|cancelled|past_due|expired|lapsed|premium/i;
    const deaf = columns.filter((column) => !heard.includes(column));
    expect(deaf.filter((column) => !money.test(column.join()) && column[0] !== 'Unsubscribe')).toEqual([]);
    expect(heard.length).toBeGreaterThan(25);
  });
});

describe('a column that is surely about mailing and not understood asks', () => {
  const columns: [heading: string, ...cells: string[]][] = [
    ['Unsubscribed', 'Red', 'Blue', 'Red', 'Blue'],
    ['Unsubscribed', 'Weekly news', 'Offers', 'Weekly news', 'Offers'],
    ['Opt out', 'A', 'B', 'A', 'C'],
    ['Do not email', 'Ann', 'Bob', 'Ann', 'Bob'],
    ['Deceased', 'perhaps', 'perhaps', 'ask Jo', 'perhaps'],
    ['Email status', 'Green', 'Amber', 'Green', 'Amber'],
    ['Email status', '1', '0', '1', '2'],
    ['Email status', 'Active', 'Inactive', 'Active', 'Active'],
    ['Opt in', 'A', 'B', 'A', 'B'],
    ['Accepts Marketing', 'Partly', 'Fully', 'Partly', 'Fully'],
    ['Marketing status', 'Warm', 'Cold', 'Warm', 'Cold'],
    ['Suppressed', 'List A', 'List B', 'List A', 'List B'],
  ];
  it.each(columns)('%s: %s, %s', (heading, ...cells) => {
    const { columns: read, unclear } = recognise(heading, cells);
    expect(read).toEqual([]);
    expect(unclear).toHaveLength(1);
    expect(unclear[0]?.values.map(({ rows }) => rows).reduce((a, b) => a + b)).toBe(4);
  });

  it('with its twenty most frequent texts', () => {
    const cells = Array.from({ length: 300 }, (_, at) => `Group ${at % 40 < 10 ? 0 : at % 40}`);
    const { unclear } = recognise('Unsubscribed', cells);
    expect(unclear[0]?.values).toHaveLength(20);
    expect(unclear[0]?.values[0]).toEqual({ value: 'Group 0', rows: 80 });
  });
});
