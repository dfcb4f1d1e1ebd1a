/**
 * Decisions about people and passwords that need neither a database nor a clock. Both sides use
 * them.
 */

export const passwordLength = { min: 10, max: 128 } as const;
export const nameLength = { max: 100 } as const;

/** Mails that anybody can have sent to an address. */
export type UnaskedMail = 'reset' | 'proof' | 'change' | 'invitation';

/**
 * The limit of unasked mails of a kind to one address: five an hour are enough for somebody who
 * waits, and too few to fill a mailbox. Each kind is counted by itself, so that nobody can keep the
 * mails with a link to a new password from somebody by causing others.
 */
export const mailsTo = (kind: UnaskedMail, email: string) => ({
  kind: `mail-to-${kind}`,
  who: email,
  most: 5,
  windowMs: 3_600_000,
});

/** The first word, and the rest. `'Priya Anand Shah'` gives `Priya` and `Anand Shah`. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [firstName = '', ...rest] = name.trim().split(/\s+/u);
  return { firstName, lastName: rest.join(' ') };
}

/**
 * Describes what is wrong with the name of a person or a workspace, or null. Names appear in mails
 * and headings, so control characters and line breaks are refused.
 */
export function nameProblem(name: unknown): string | null {
  if (typeof name !== 'string' || name.trim() === '') return 'Please give a name.';
  if (name.length > nameLength.max) return `A name has at most ${nameLength.max} characters.`;
  if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(name) || !name.isWellFormed()) {
    return 'A name is one line of plain text.';
  }
  return null;
}

/**
 * The administrator is the person who proved that the configured address is theirs. Case does not
 * count.
 */
export function isAdministrator(
  user: { email: string; emailVerified: boolean },
  adminEmail: string | undefined,
): boolean {
  return user.emailVerified && isAdminAddress(user.email, adminEmail);
}

export function isAdminAddress(email: string, adminEmail: string | undefined): boolean {
  return adminEmail !== undefined && adminEmail !== '' && email.toLowerCase() === adminEmail.toLowerCase();
}

/**
 * A path of this site, or null for anything that could lead elsewhere. Browsers read `//host`,
 * `/\host` and, after dropping tabs and line breaks, `/<tab>/host` as another site (WHATWG URL,
 * "relative slash state").
 */
export function localPath(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value))
    return null;
  if (value.includes('\\')) return null;
  // Nobody should return to sign-in pages or calls.
  if (/^\/(auth|api)(?![^/?#])/.test(value)) return null;
  return value;
}

/**
 * Describes what is wrong with a new password, or null. Length counts most (NIST SP 800-63B,
 * section 3.1.1): there is no rule about kinds of character, but passwords that a guesser tries
 * first are refused.
 */
export function passwordProblem(password: unknown, email: string | null): string | null {
  if (typeof password !== 'string' || password.length < passwordLength.min) {
    return `A password needs at least ${passwordLength.min} characters. Three or four words in a row do well.`;
  }
  if (password.length > passwordLength.max) {
    return `A password has at most ${passwordLength.max} characters.`;
  }
  if (isCommonPassword(password)) {
    return 'That password is among the first that anybody would guess. Please choose another.';
  }
  const letters = lettersAndDigits(password);
  const whole = lettersAndDigits(email ?? '');
  if (whole !== '' && letters.includes(whole)) {
    return 'A password must not contain your email address. Please choose another.';
  }
  const local = lettersAndDigits(email?.split('@')[0] ?? '');
  if (local.length >= 4 && letters.includes(local) && letters.length - local.length < lettersBesidesName) {
    return 'This password is little more than the name in your email address. Please choose another.';
  }
  if (productNames.some((name) => letters.includes(name))) {
    return "A password must not contain this product's name. Please choose another.";
  }
  return null;
}

/**
 * With as many letters and digits besides it, the name in an address is no help to a guesser: mary@
 * stands in "summary of events".
 */
const lettersBesidesName = 8;

const productNames = ['emailmanager', 'marketingdatabase'];

const lettersAndDigits = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** `P@ssw0rd` and similar spellings count as the words they stand for. */
const plainLetters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[@4]/g, 'a')
    .replace(/0/g, 'o')
    .replace(/[1!|]/g, 'i')
    .replace(/3/g, 'e')
    .replace(/[$5]/g, 's')
    .replace(/7/g, 't');

function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  if (commonPasswords.has(lower) || commonInLetters.has(plainLetters(lower))) return true;
  if (isRepetition(lower) || isRun(lower)) return true;
  // A common word with a year, digits or signs around it: "Password2024!!", "liverpool1892".
  const word = plainLetters(lower.replace(/^[\d\W_]+|[\d\W_]+$/g, ''));
  return commonWords.has(word);
}

/** One to three characters, or as many as a common word has, over and over. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= Math.floor(text.length / 2) && length <= 5; length += 1) {
    const unit = text.slice(0, length);
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return true;
  }
  return false;
}

/** A part of the alphabet, the digits or a keyboard row, forwards or backwards. */
function isRun(text: string): boolean {
  return runs.some((run) => run.includes(text));
}

const forwardRuns = [
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  '0123456789012345678901234567890',
  'qwertyuiopasdfghjklzxcvbnmqwertyuiop',
  '1234567890qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6y7u8i9o0p',
  'qazwsxedcrfvtgbyhnujmikolp',
];
const runs = forwardRuns.flatMap((run) => [run, [...run].reverse().join('')]);

/** Long enough to pass the length rule as they are. */
const commonPasswords = new Set(
  `password12 password123 password1234 password12345 password123456 passwordpassword mypassword mypassword1
  thepassword newpassword newpassword1 yourpassword ourpassword changemeplease changeme123 changeme1234 pleasechange
  letmein123 letmein1234 letmeinnow letmeinplease welcome123 welcome1234 welcome12345 welcomehome welcomeback
  qwerty1234 qwerty12345 qwerty123456 qwertyuiop123 qwertyqwerty qwerty123qwerty 1234qwerasdf 1234567890a
  a1234567890 a123456789 a12345678910 aa12345678 aa123456789 ab12345678 abc1234567 abc12345678 abcd123456 abcd1234567
  abcdef1234 abcdefg123 abcabc1234 123456789a 123456789q 1234567899 12345678910 1234554321 1234512345 1122334455
  11223344556677 1111122222 0987654321a 9876543210a 123123123a 123qweasdzxc 123qwe123qwe qweasdzxc123 qweasdzxcrfv
  asdfghjkl1 asdfghjkl123 asdfasdfasdf asdf1234asdf asdf123456 zxcvbnm123 zxcvbnm1234 zxcvbnmasdfghjkl zaq12wsxcde3
  1qaz2wsx3edc 1qazxsw23edc q1w2e3r4t5 1q2w3e4r5t qazwsx1234 qazwsxedc123 iloveyou12 iloveyou123 iloveyou1234
  iloveyouforever iloveyousomuch ilovemyself ilovemydog ilovemycat ilovemymum ilovemywife ilovefootball ilovemusic
  ilovechocolate sunshine12 sunshine123 princess12 princess123 football12 football123 baseball123 basketball
  basketball1 superman123 batman1234 spiderman1 spiderman123 starwars12 starwars123 pokemon123 pokemon1234
  michael123 charlie123 jessica123 jordan1234 thomas1234 ashley1234 daniel1234 matthew123 joshua1234 monkey1234
  dragon1234 master1234 shadow1234 killer1234 freedom123 whatever123 trustno1234 hello12345 hellohello helloworld
  helloworld1 helloworld123 hello123456 goodmorning goodbye123 administrator administrator1 admin12345 admin123456
  adminadmin adminadmin1 adminpassword rootpassword root123456 rootrootroot toor123456 test123456 test1234567
  testtest123 testtesttest testpassword testing1234 testing12345 user123456 userpassword guest12345 guestguest
  default123 defaultpassword temporary1 temporary123 temppassword temp123456 secret1234 secretsecret supersecret
  topsecret123 nothing123 nopassword internet123 computer12 computer123 samsung123 samsung1234 liverpool1
  liverpool12 liverpool123 liverpoolfc manchester manchester1 manchesterunited manutd1234 chelsea123 chelsea1234
  arsenal1234 arsenal12345 tottenham1 tottenham123 rangers1234 celtic1234 everton1234 newcastle1 newcastle123
  westham1234 englandengland england1966 london2012a scotland123 ireland123 united1234 unitedkingdom greatbritain
  summertime wintertime springtime christmas1 christmas123 birthday123 blink182blink fuckyou123 fuckyou1234
  fuckoff1234 computer1234 correcthorse correcthorsebatterystaple maintenance passw0rd123 p@ssw0rd123 p@ssword123
  pa55word123 pa$$word123 secure1234 security123 access1234 accessgranted login12345 loginlogin company123
  marketing1 marketing123 newsletter1 newsletter123 subscribe123 mailinglist`.split(/\s+/),
);
const commonInLetters = new Set([...commonPasswords].map(plainLetters));

/** Too short by themselves, and no better with digits and signs around them. */
const commonWords = new Set(
  `password passwort passcode pass welcome letmein changeme qwerty qwertyuiop azerty asdfgh asdfghjkl zxcvbnm admin
  administrator root user guest test testing default temp temporary secret login access master iloveyou sunshine
  princess football baseball superman batman spiderman starwars pokemon michael charlie jessica monkey dragon shadow
  freedom whatever hello helloworld computer internet samsung liverpool manchester chelsea arsenal tottenham rangers
  celtic everton newcastle england scotland wales ireland london summer winter autumn spring christmas birthday
  january february march april may june july august september october november december monday tuesday wednesday
  thursday friday saturday sunday company marketing newsletter abc abcd abcdef`
    .split(/\s+/)
    .map(plainLetters),
);
