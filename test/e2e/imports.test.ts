// Tests of: imports
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindings, seriousFindingsInBoth } from '#test/support/browser.ts';
import { holdsNone } from '#test/support/settle.ts';
import { bring, call, makeViewers, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';
import { textRows, workbook } from '#test/support/workbooks.ts';

// Importing in the real product: the check page and its controls, the result, its receipt and undo,
// the dashboard's quick import, and every kind of file that is not a contact file.

let stage: SignedInStage;
let page: Page;

openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = stage);
  },
  // From a refused choice, a file that is not a contact file, and one that is gone.
  { acceptDownloads: true, mayComplain: /status of (400|404)/ },
);

/**
 * Nine rows in Windows-1252 with semicolons: four to import, and one or two for each other fate.
 */
const tradeShow = Buffer.from(
  [
    'E-Mail Address;Full Name;Company',
    'priya.nair@harrowgatefoods.co.uk;Priya Nair;Harrowgate',
    'Tom Ashdown <tom@bramleyjoinery.co.uk>;Tom Ashdown;Bramley',
    'info@keltic-foods.ie;Aoife;Keltic',
    'shop @peakgifts.co.uk;Ruth;Peak',
    'PRIYA.NAIR@harrowgatefoods.co.uk;Priya;Harrowgate',
    'zo\u00eb@brecondrapers.co.uk;Zo\u00eb;Brecon;one too many',
    'owen@btinternet.com;Owen;',
    'kept.out@blocked.co.uk;Kit;Blocked',
    'ann@leedsweavers.co.uk;Ann;Leeds',
    '',
  ].join('\r\n'),
  'latin1',
);

const csv = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
});
const choose = (file: ReturnType<typeof csv>) => page.locator('input[type=file]').first().setInputFiles(file);
const card = (name: string) => page.getByRole('region', { name, exact: true });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const toast = (title: string) => page.getByRole('alert').filter({ hasText: title });
const whatHappens = () => card('What will happen').locator('li').allInnerTexts();
const counted = () => card('What will happen').getByText('Dry run').waitFor();

/** Chooses a file and waits for its check. */
async function checkFile(name: string, content: string): Promise<void> {
  await page.goto('/imports');
  await choose(csv(name, content));
  await page.waitForURL(/\/imports\/\d+$/);
  await counted();
}

/**
 * The figures in the fate bar's legend, in order: imported, duplicates, invalid, non-UK,
 * suppressed.
 */
async function counts(): Promise<number[]> {
  await counted();
  return (await whatHappens()).map((text) => Number(/\d+/.exec(text.replaceAll(',', ''))?.[0]));
}

async function pick(control: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: control }).click();
  await page.getByRole('option', { name: option, exact: typeof option === 'string' }).click();
}

const block = () => call(page, 'POST', '/api/suppressions/domain', { domain: 'blocked.co.uk' });
/** Opens the check page with the trade show's file. */
async function check(): Promise<void> {
  await block();
  await page.goto('/imports');
  await choose(csv('trade-show.csv', tradeShow));
  await page.waitForURL(/\/imports\/\d+$/);
  await button('Import 4 contacts').waitFor();
}
/** Imports the file with likely UK domains included: five contacts, and four rows left out. */
async function imported(): Promise<void> {
  await block();
  await call(page, 'PATCH', '/api/settings', { emailValidation: { ukPolicy: 'likely' } });
  const { id } = await bring(page, tradeShow, { name: 'trade-show.csv' });
  await page.goto(`/imports/${id}`);
  await page.getByText('Contacts imported').waitFor();
}

describe('a new import', () => {
  it('begins on a page that says what to do', async () => {
    await block();
    await page.goto('/import');
    await page.waitForURL('**/imports');
    await page.getByText('No imports yet').waitFor();
    await page.getByText('Up to 100 MB.').waitFor();
    for (const option of [
      'Remove duplicates',
      'Validate email format',
      'Filter non-UK domains',
      'Check against the suppression list',
    ])
      await expect.poll(() => page.getByLabel(option).isChecked()).toBe(true);
    await page.getByText('0 addresses and 1 domain').waitFor();
    await expect.poll(() => button('Import').isDisabled()).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('takes no more choices once the file is sent, until the check page is there', async () => {
    await page.goto('/imports');
    await page.getByText('No imports yet').waitFor();
    const code = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await code.promise;
      await route.continue();
    });
    const opens = page.waitForURL(/\/imports\/\d+$/);
    const sent = page.waitForResponse(
      (answer) => answer.request().method() === 'POST' && answer.url().endsWith('/api/emails/import'),
    );
    await choose(csv('trade-show.csv', tradeShow));
    await sent;
    await opens;
    await page.getByRole('button', { name: 'Stop the upload' }).waitFor();
    await expect.poll(() => page.getByLabel('Filter non-UK domains').isDisabled()).toBe(true);
    await expect.poll(() => button('Import').isDisabled()).toBe(true);
    code.resolve();
    await button(/^Import \d contacts$/).waitFor();
    await page.getByLabel('Filter non-UK domains').uncheck();
    await button('Import 7 contacts').waitFor();
  });

  it('refuses what is no .csv before it is sent', async () => {
    await page.goto('/imports');
    await page.getByText('No imports yet').waitFor();
    await choose({ name: 'list.xls', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from('x') });
    await page.getByText('Only .csv files can be imported, and .xlsx workbooks.').waitFor();
    await page.getByText('An .xls of an older Excel can also be saved as .xlsx.').waitFor();
    await expect.poll(() => button('Import').isDisabled()).toBe(true);
  });

  it('asks for what is in a .zip', async () => {
    await page.goto('/imports');
    await choose({ name: 'audience.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') });
    await page.getByText('Unpack the .zip, as Mailchimp sends one, and choose a .csv from it.').waitFor();
  });

  it('brings in those who left, who become no contacts, and says so from check to result', async () => {
    await page.goto('/imports');
    const buffer = await readFile('test/fixtures/mailchimp-unsubscribed.csv');
    await choose({ name: 'unsubscribed_audience.csv', mimeType: 'text/csv', buffer });
    await button('Import 6 opt-outs').click();
    await toast('Import Complete').getByText('6 addresses went to the suppression list').waitFor();
    await expect.poll(() => page.getByText('Are these people who must not be mailed?').count()).toBe(0);
    await card('Rows left out').getByText('Unsubscribed on 10 Mar 2024, says the file').waitFor();
  });

  it('shows the columns of an address book that have something in them, and keeps them at a press', async () => {
    await page.goto('/imports');
    const buffer = await readFile('test/fixtures/outlook-contacts.csv');
    await choose({ name: 'outlook-contacts.csv', mimeType: 'text/csv', buffer });
    await page.getByText('3 columns hold addresses').waitFor();
    const columns = card('Columns');
    const rowOf = (name: string) => columns.getByText(name, { exact: true });
    await rowOf('E-mail Display Name').waitFor();
    await expect.poll(() => rowOf('Web Page').count()).toBe(0);
    await columns.getByRole('button', { name: 'Keep all' }).click();
    await counted();
    await columns.getByRole('button', { name: 'Keep no extra field' }).waitFor();
    const goesTo = (name: string) => columns.getByRole('combobox', { name: `${name} goes to`, exact: true });
    await expect.poll(() => goesTo('Company').inputValue()).toBe('Extra field: company');
    await columns.getByRole('button', { name: 'Show them' }).click();
    await expect.poll(() => goesTo('Web Page').inputValue()).toBe('Leave out');
    await button('Keep no extra field').click();
    await counted();
    await button('Import each as a contact').click();
    await button('Import 33 contacts').waitFor();
    await expect.poll(() => goesTo('E-mail 3 Address').inputValue()).toBe('Email');
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('shows what was detected and the fate of each row, and saves nothing', async () => {
    await block();
    await page.goto('/imports');
    await choose(csv('trade-show.csv', tradeShow));
    await page.waitForURL(/\/imports\/\d+$/);
    await page.getByRole('heading', { name: 'trade-show.csv', level: 1 }).waitFor();
    expect(await counts()).toEqual([4, 1, 1, 2, 1]);
    const dialect = {
      Delimiter: 'Semicolon',
      Encoding: 'Windows-1252',
      Header: 'First row',
      Quotes: 'Double',
    };
    for (const [name, value] of Object.entries(dialect))
      await expect.poll(() => page.getByRole('combobox', { name }).inputValue()).toContain(value);
    await page.getByText('1 line does not fit the header: 1 has too many fields (line 7).').waitFor();
    const rows = page.getByRole('table', { name: 'First rows' });
    await rows.getByText('Duplicate, same as line 2').waitFor();
    await rows.getByText('Imported, read as tom@bramleyjoinery.co.uk').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    const contacts = await page.request.get('/api/emails');
    expect((await contacts.json()).totalCount).toBe(0);
  });
});

describe('other ways in', () => {
  it('takes pasted addresses to the same check', async () => {
    await page.goto('/imports');
    await button('Paste addresses').click();
    const dialog = page.getByRole('dialog', { name: 'Paste addresses' });
    await dialog.getByLabel('Addresses').fill('Ann Lee <ann@acme.co.uk>; bob@acme.co.uk, nonsense');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Check 2 addresses' }).click();
    await page.getByRole('heading', { name: 'Pasted addresses.csv', level: 1 }).waitFor();
    expect(await counts()).toEqual([2, 0, 1, 0, 0]);
  });

  it('reads a sheet of a workbook, and another one', async () => {
    const lists = workbook({
      sheets: [
        {
          name: 'Members',
          rows: textRows([['Email', 'Name'], ['ann@acme.co.uk', 'Ann'], ['bob@acme.co.uk']]),
        },
        { name: 'Friends', rows: textRows([['Email'], ['cat@acme.co.uk']]) },
      ],
    });
    await page.goto('/imports');
    await choose({ ...csv('lists.xlsx', ''), buffer: Buffer.from(lists) });
    await page.getByRole('heading', { name: 'lists.xlsx', level: 1 }).waitFor();
    expect(await counts()).toEqual([2, 0, 0, 0, 0]);
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await pick('Sheet, one of 2', 'Friends');
    await button('Import 1 contact').click();
    await page.getByText('Read from the sheet “Friends”, one of 2.').waitFor();
  });
});

describe('the check page', () => {
  it('counts again when an option or the UK policy changes', async () => {
    await check();
    await page.getByLabel('Filter non-UK domains').click();
    await button('Import 6 contacts').waitFor();
    expect(await counts()).toEqual([6, 1, 1, 0, 1]);
    await page.getByLabel('Filter non-UK domains').click();
    await page.getByText('1 of the non-UK rows looks British').waitFor();
    await page.getByText('Also likely UK').click();
    await button('Import 5 contacts').waitFor();
    await page.getByText(/^Keeps .*, and likely UK domains$/).waitFor();
    expect(await counts()).toEqual([5, 1, 1, 1, 1]);
  });

  it('takes a column elsewhere, and keeps the one address', async () => {
    await check();
    await pick('Company goes to', 'Extra field: company');
    await page.getByText('3 found, 3 will be kept').waitFor();
    await counted();
    await page.getByRole('combobox', { name: 'E-Mail Address goes to' }).click();
    await expect
      .poll(() =>
        page.getByRole('option', { name: 'Leave out' }).first().getAttribute('data-combobox-disabled'),
      )
      .toBe('true');
    await page.keyboard.press('Escape');
  });

  it('finds the columns again where the file, cut otherwise, has other ones', async () => {
    const rows = ['ann@acme.co.uk,"Leeds, West Yorkshire"', 'bob@home.co.uk,"Truro, Cornwall"'];
    await checkFile('towns.csv', `Email,"Town, county"\n${rows.join('\n')}\n`);
    await pick('Town, county goes to', 'Notes');
    await page.getByText('2 found, 2 will be kept').waitFor();
    await counted();
    await pick('Quotes', 'None');
    await page.getByText('3 found, 1 will be kept').waitFor();
    await button('Import 2 contacts').waitFor();
    await page.getByText('The file has other columns now').waitFor();
    await page.getByText('That choice did not work').waitFor({ state: 'detached' });
  });

  it('tells of further columns with addresses, and reads another one, the first filled, or all', async () => {
    const rows = ['ann,n/a,ann@acme.co.uk', 'bob,bob@home.co.uk,', 'cat,cat@home.co.uk,cat@acme.co.uk'];
    await checkFile('two.csv', `Name,Email,Work Email\n${rows.join('\n')}\n`);
    await page.getByText('2 columns hold addresses').waitFor();
    await page.getByText('Only “Email” is imported.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button('Use only “Work Email”').click();
    await page.getByText('Only “Work Email” is imported.').waitFor();
    await button('Use the first that is filled').click();
    await button('Import 3 contacts').waitFor();
    await button('Import each as a contact').click();
    await page.getByText('Each address becomes a contact of its own.').waitFor();
    await button('Import 4 contacts').waitFor();
  });

  it('shows whom the file says not to mail, and takes another word for it', async () => {
    const rows = ['ann@acme.co.uk,Ann,Yes', 'bob@acme.co.uk,Bob,No', 'cat@acme.co.uk,Cat,Perhaps'];
    await checkFile('members.csv', `Members 2026\n\nEmail,Name,Opted in\n${rows.join('\n')}\n`);
    await page.getByText('1 line above the first row was skipped: “Members 2026”.').waitFor();
    await button('Import 2 contacts').waitFor();
    await card('Do not mail').getByText('1 row will not be mailed').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button('Perhaps: Mail. Change').click();
    await button('Import 1 contact').waitFor();
    await page.getByRole('checkbox', { name: 'Opted in' }).uncheck();
    await button('Import 3 contacts').waitFor();
    await page.getByRole('checkbox', { name: 'Opted in' }).check();
    await button('Import 2 contacts').click();
    await page.getByText('1 address went to the suppression list').waitFor();
    await page.goto('/suppressions');
    await page.getByText('bob@acme.co.uk').first().waitFor();
  });

  it('takes any column for one that says who must not be mailed, and leaves a recognised one out', async () => {
    const rows = ['ann@acme.co.uk,gone,', 'bob@acme.co.uk,,yes', 'cat@acme.co.uk,,'];
    await checkFile('left.csv', `Email,Left,Unsubscribed\n${rows.join('\n')}\n`);
    await button('Import 2 contacts').waitFor();
    await pick('Left goes to', 'Do not mail');
    await button('Import 1 contact').waitFor();
    await page.getByRole('checkbox', { name: 'Left' }).waitFor();
    await pick('Unsubscribed goes to', 'Leave out');
    await button('Import 2 contacts').waitFor();
    await page.getByRole('checkbox', { name: 'Unsubscribed', checked: false }).waitFor();
    await page.getByRole('checkbox', { name: 'Unsubscribed' }).check();
    await button('Import 1 contact').waitFor();
    const target = page.getByRole('combobox', { name: 'Unsubscribed goes to' });
    await expect.poll(() => target.inputValue()).toBe('Do not mail');
    await page.getByRole('checkbox', { name: 'Unsubscribed' }).uncheck();
    await button('Import 2 contacts').waitFor();
    await expect.poll(() => target.inputValue()).toBe('Leave out');
    await button('Import 2 contacts').click();
    await page.getByText('1 address went to the suppression list').waitFor();
  });

  it('tells of slips, and mends those that are chosen', async () => {
    const rows = ['ann@gmial.com', 'bob@hotmial.co.uk', 'cat@acme.co.uk'];
    await checkFile('slips.csv', `Email\n${rows.join('\n')}\n`);
    await button('Import 2 contacts').waitFor();
    await card('Probable slips').getByText('in 2 rows').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'hotmial.co.uk for hotmail.co.uk' }).check();
    await card('First rows').getByText('read as bob@hotmail.co.uk').first().waitFor();
    await button('Import 2 contacts').click();
    await page.getByText('Contacts imported').waitFor();
    await page.goto('/email-database?search=hotmail');
    await page.getByText('bob@hotmail.co.uk').first().waitFor();
  });

  it('mends all slips at a press, also rarer ones than those listed, and one less', async () => {
    const rare = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at));
    const rows = rare.flatMap((letter) => [`jo@town${letter}x.co.ukk`, `jo@town${letter}y.co.ukk`]);
    await checkFile('rare.csv', `Email\n${[...rows, 'ann@acme.co.uk'].join('\n')}\n`);
    await card('Probable slips').getByText('in 52 rows').waitFor();
    await card('Probable slips').getByText('2 rarer slips more, in 2 rows.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button('Mend all').click();
    await button('Import 53 contacts').waitFor();
    await card('Probable slips').getByRole('checkbox').first().uncheck();
    // The rarer ones are mended together with all the others, or not at all.
    await button('Import 50 contacts').waitFor();
    await button('Mend all').click();
    await button('Import 53 contacts').waitFor();
    await button('Mend none').click();
    await button('Import 1 contact').waitFor();
  });

  it('asks what a column means that nobody can tell', async () => {
    await checkFile('odd.csv', 'Email,Unsubscribed\nann@acme.co.uk,P\nbob@acme.co.uk,Q\n');
    await page.getByText('Does “Unsubscribed” say who must not be mailed?').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button('“Q” means: do not mail').click();
    await card('Do not mail').getByText('1 row will not be mailed').waitFor();
    await button('Import 1 contact').waitFor();
  });

  it('asks whether people may be mailed where a column of ticks is blank', async () => {
    await checkFile('ticks.csv', 'Email,Newsletter\nann@acme.co.uk,Yes\nbob@acme.co.uk,\n');
    await page.getByText('May people be mailed where “Newsletter” is blank?').waitFor();
    await button('Import 2 contacts').waitFor();
    await button('A blank means: do not mail').click();
    await card('Do not mail').getByText('1 row will not be mailed').waitFor();
    await button('Import 1 contact').waitFor();
  });

  it('stays as it was after a choice that does not work', async () => {
    await check();
    await page.getByText('Also likely UK').click();
    await button('Import 5 contacts').waitFor();
    await pick('Company goes to', 'Extra field: company');
    await page.getByText('3 found, 3 will be kept').waitFor();
    await counted();
    await pick('Encoding', 'UTF-16 LE');
    await page.getByText('That choice did not work').waitFor();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Encoding' }).inputValue())
      .toBe('Windows-1252');
    await page.reload();
    await button('Import 5 contacts').waitFor();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Company goes to' }).inputValue())
      .toBe('Extra field: company');
  });

  it('imports what it promised, and says how many', async () => {
    await check();
    await page.getByText('Also likely UK').click();
    await Promise.all([
      toast('Import Complete').getByText('Imported 5 emails successfully.').waitFor(),
      button('Import 5 contacts').click(),
    ]);
    await page.getByText('Contacts imported').waitFor();
    await button(/^Tasks: Import done/).waitFor();
    const answer = await (await page.request.get('/api/emails?sort=address')).json();
    expect(answer.emails.map((one: { address: string }) => one.address).sort()).toEqual([
      'ann@leedsweavers.co.uk',
      'owen@btinternet.com',
      'priya.nair@harrowgatefoods.co.uk',
      'tom@bramleyjoinery.co.uk',
      'zo\u00eb@brecondrapers.co.uk',
    ]);
  });
});

describe('the result', () => {
  it('shows why the others were left out, by fate, under an address of its own', async () => {
    await imported();
    const rows = page.getByRole('table', { name: 'Rows left out' });
    await rows.getByText('kept.out@blocked.co.uk').waitFor();
    await expect.poll(() => rows.getByRole('row').count()).toBe(5);
    await page.getByRole('tab', { name: 'Suppressed 1' }).click();
    await page.waitForURL(/rows=suppressed/);
    await expect.poll(() => rows.getByRole('row').count()).toBe(2);
    expect(await seriousFindingsInBoth(page)).toEqual([]);
  });

  it('lets a row be corrected where it stands, and says what became of it', async () => {
    const { id } = await bring(page, 'email,name\njo.smith@gmail,Jo\nann@acme.co.uk,Ann\n');
    await page.goto(`/imports/${id}`);
    await button('Correct line 2').click();
    const address = page.getByLabel('Address of line 2');
    await expect.poll(() => address.inputValue()).toBe('jo.smith@gmail.com');
    await address.fill('jo.smith@');
    await button('Import').click();
    await page.getByText('Please enter a valid UK email address').waitFor();
    await address.fill('jo.smith@gmail.com');
    await button('Import').click();
    await page.getByText('Imported as').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await page.getByRole('link', { name: 'jo.smith@gmail.com' }).click();
    await page.getByRole('heading', { name: 'jo.smith@gmail.com' }).waitFor();
  });

  it('finds a row far down the receipt by its line, and lets it be corrected', async () => {
    const rows = Array.from({ length: 230 }, (_, at) => `p${at}@@acme.co.uk,York`);
    const { id } = await bring(page, `email,town\n${[...rows, 'zoe@@acme.co.uk,Ely'].join('\n')}\n`);
    await page.goto(`/imports/${id}`);
    await page.getByRole('textbox', { name: 'Line of the file' }).fill('232');
    await button('Show line').click();
    await page.getByText('zoe@@acme.co.uk').first().waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await button('Correct line 232').click();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported as zoe@acme.co.uk').waitFor();
    await page.reload();
    await page.getByText('Imported as zoe@acme.co.uk').waitFor();
    await button('Show the first rows').click();
    await page.getByText('p0@@acme.co.uk').first().waitFor();
  });

  it('gives the receipt of all of them', async () => {
    await imported();
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download all 4').click()]);
    expect(download.suggestedFilename()).toBe('trade-show-receipt.csv');
    expect((await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)).toHaveLength(5);
  });

  it('can be undone', async () => {
    await imported();
    await button('Undo import').click();
    const dialog = page.getByRole('dialog', { name: 'Undo this import?' });
    await dialog.getByRole('button', { name: 'Remove 5 contacts' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove 5 contacts' }).click();
    await toast('Import undone').getByText('5 contacts moved to the bin').waitFor();
    await page.getByText(/^Undone today/).waitFor();
    expect((await (await page.request.get('/api/emails')).json()).totalCount).toBe(0);
  });
});

describe('a file that is none', () => {
  const files: [string, string | Buffer, RegExp][] = [
    ['picture.csv', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /PNG picture/],
    ['towns.csv', 'name,town\nPriya,Leeds\n', /No column holds email addresses/],
  ];
  it.each(files)('%s: says so, with the way on', async (name, content, reason) => {
    await page.goto('/imports');
    // The import fails before its screen knows it.
    await page.route('**/api/imports/*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.continue();
    });
    await choose(csv(name, content));
    await page.getByText('This file could not be imported').waitFor();
    await page.getByRole('alert').getByText(reason).waitFor();
    // Once, in its place.
    await holdsNone(toast('Import Failed'));
  });

  it('stands in the list with its reason', async () => {
    await page.goto('/imports');
    await choose(csv('towns.csv', 'name,town\nPriya,Leeds\n'));
    await page.getByRole('link', { name: 'Choose another file' }).click();
    const row = page.getByRole('row').filter({ hasText: 'towns.csv' });
    await row.getByText('No column holds email addresses.').waitFor();
    await row.getByText('Failed').waitFor();
    expect(await seriousFindings(page, 'dark')).toEqual([]);
  });
});

describe('the quick import', () => {
  it('tells on the result of an import that nobody checked what a check would have asked', async () => {
    const file = ['Email,Work Email,Unsubscribed', 'ann@acme.co.uk,ann@work.co.uk,P', 'bob@acme.co.uk,,Q'];
    const { id } = await bring(page, file.join('\n'), { name: 'unread.csv' });
    await page.goto(`/imports/${id}`);
    await page.getByText('Look at how the file was read').waitFor();
    await page.getByText('“Work Email” holds addresses too, in 1 row').waitFor();
    await page.getByText('“Unsubscribed” may say who must not be mailed.').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
  });

  it('asks on the dashboard, and imports without the check page', async () => {
    await page.goto('/dashboard');
    await page.getByText('Drop a CSV or .xlsx here to import it').waitFor();
    await choose(csv('walk-ins.csv', 'email\njo@acme.co.uk\nsam@acme.co.uk\n'));
    const dialog = page.getByRole('dialog', { name: 'Import a CSV' });
    await dialog.getByText('walk-ins.csv').waitFor();
    expect(await seriousFindings(page, 'dark')).toEqual([]);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await toast('Import Complete').getByText('Imported 2 emails successfully.').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await card('Import').getByText('walk-ins.csv').waitFor();
  });

  it('leads to the check page by its first button, and Cancel forgets the file', async () => {
    await page.goto('/dashboard');
    await page.getByText('Drop a CSV or .xlsx here to import it').waitFor();
    await choose(csv('later.csv', 'email\nkim@acme.co.uk\n'));
    await button('Check first').click();
    await page.waitForURL(/\/imports\/\d+$/);
    await button('Import 1 contact').waitFor();
    const address = `/api${new URL(page.url()).pathname}`;
    await button('Cancel').click();
    await page.waitForURL(/\/imports$/);
    await expect.poll(async () => (await page.request.get(address)).status()).toBe(404);
  });
});

describe('a viewer', () => {
  it('looks at imports, and is told who may do more', async () => {
    await bring(page, 'email\njo@acme.co.uk\nsam@acme.co.uk\n', { name: 'walk-ins.csv' });
    await makeViewers(stage.product, stage.somebody);
    await page.goto('/imports');
    await page.getByText('Importing needs the editor role').waitFor();
    await expect.poll(() => page.locator('input[type=file]').count()).toBe(0);
    await page.getByText('walk-ins.csv').click();
    await page.getByText('Contacts imported').waitFor();
    await expect.poll(() => button('Undo import').count()).toBe(0);
    await expect.poll(() => button('Download receipt').isEnabled()).toBe(true);
  });
});
