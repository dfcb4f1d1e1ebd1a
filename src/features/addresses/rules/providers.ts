/**
 * Mail providers by domain, maintained by hand from common knowledge of the market. Public lists
 * are no help: they mix free, disposable and company domains. Doubtful names are left out: a
 * missing one costs an offer to keep a few rows, a wrong one mails people abroad. Names ending in
 * .uk are not listed, because the ending decides.
 */

/**
 * UK internet and mail providers with an ending other than .uk, grouped by the company that runs
 * the mailboxes.
 */
export const ukProviders: ReadonlySet<string> = new Set([
  // BT: BT Internet, BT Openworld, BT Connect and BT Click (business), Talk21.
  ...['btinternet.com', 'btopenworld.com', 'btconnect.com', 'btclick.com', 'talk21.com', 'bt.com'],
  // Sky's UK customers (sky.it and sky.de are other companies).
  ...['sky.com'],
  // Virgin Media: Virgin.net, NTL, Cable & Wireless home customers. Blueyonder used .co.uk.
  ...['virginmedia.com', 'virgin.net', 'ntlworld.com', 'ntlbusiness.com', 'cwcom.net'],
  // TalkTalk: Pipex, LineOne, OneTel, Screaming.net, Toucan, Bulldog. Tiscali UK used .co.uk.
  ...['talktalk.net', 'talktalkbusiness.net', 'lineone.net', 'pipex.com', 'onetel.com', 'onetel.net'],
  ...['screaming.net', 'toucansurf.com', 'bulldoghome.com'],
  // Plusnet: `name.plus.com`, Force9, Madasafish, and Waitrose's mailboxes.
  ...['plusnet.com', 'plus.net', 'plus.com', 'force9.net', 'madasafish.com', 'waitrose.com'],
  // Freeserve, later Wanadoo and Orange UK, later EE; most used .co.uk.
  ...['freeserve.com', 'fsmail.net'],
  // Vodafone UK and Demon, Claranet's home customers, KCOM in Hull, Utility Warehouse.
  ...['vodafone.net', 'demon.net', 'clara.net', 'kcom.com', 'uwclub.net'],
  // Shops, magazines and portals that gave mailboxes.
  ...[
    'tesco.net',
    'which.net',
    'supanet.com',
    'ic24.net',
    'ukgateway.net',
    'uk2.net',
    'ukf.net',
    'britishlibrary.net',
  ],
  // Small and retired ones; Orange UK's first mailboxes; the BBC's and The Sun's.
  ...['orange.net', 'freeuk.com', 'f2s.com', 'u-net.com', 'idnet.com', 'phonecoop.coop', 'merseymail.com'],
  ...['breathe.com', 'breathemail.net', 'another.com', 'care4free.net', 'beeb.net', 'currantbun.com'],
  // Northern Ireland.
  ...['utvinternet.com', 'nireland.com'],
  // Public services: the health service, criminal justice secure mail, London's schools.
  ...['nhs.net', 'cjsm.net', 'lgfl.net'],
  // Registries that sell names for the United Kingdom below other endings.
  ...['uk.com', 'uk.net', 'gb.com', 'gb.net'],
]);

/**
 * Worldwide mailboxes that say nothing about the country. National branches (`yahoo.fr`) are not
 * included.
 */
export const globalProviders: ReadonlySet<string> = new Set([
  ...['gmail.com', 'googlemail.com'],
  ...['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'passport.com', 'windowslive.com'],
  ...['yahoo.com', 'ymail.com', 'rocketmail.com', 'myyahoo.com'],
  ...['aol.com', 'aim.com', 'netscape.net', 'compuserve.com'],
  ...['icloud.com', 'me.com', 'mac.com'],
  ...['proton.me', 'protonmail.com', 'pm.me'],
  ...['gmx.com', 'gmx.net', 'mail.com', 'email.com', 'post.com', 'europe.com', 'consultant.com'],
  ...[
    'zoho.com',
    'zohomail.com',
    'fastmail.com',
    'fastmail.fm',
    'hey.com',
    'tutanota.com',
    'tuta.com',
    'tuta.io',
  ],
  ...[
    'hushmail.com',
    'mailfence.com',
    'runbox.com',
    'posteo.net',
    'mailbox.org',
    'startmail.com',
    'duck.com',
  ],
  ...['inbox.com', 'lycos.com', 'excite.com', 'bigfoot.com'],
]);

/** Country-code endings outside ASCII, which the two-letter rule misses (IANA root zone). */
export const internationalCountryEndings: ReadonlySet<string> = new Set([
  ...[
    'xn--lgbbat1ad8j',
    'xn--y9a3aq',
    'xn--mgbcpq6gpa1a',
    'xn--54b7fta0cc',
    'xn--90ais',
    'xn--90ae',
    'xn--fiqs8s',
  ],
  ...[
    'xn--fiqz9s',
    'xn--wgbh1c',
    'xn--e1a4c',
    'xn--qxa6a',
    'xn--node',
    'xn--qxam',
    'xn--j6w193g',
    'xn--h2brj9c',
  ],
  ...['xn--mgbbh1a71e', 'xn--fpcrj9c3d', 'xn--gecrj9c', 'xn--s9brj9c', 'xn--xkc2dl3a5ee0h', 'xn--45brj9c'],
  ...['xn--2scrj9c', 'xn--rvc1e0am3e', 'xn--45br5cyl', 'xn--3hcrj9c', 'xn--mgbbh1a', 'xn--h2breg3eve'],
  ...['xn--h2brj9c8c', 'xn--mgbgu82a', 'xn--mgba3a4f16a', 'xn--mgbtx2b', 'xn--4dbrk0ce', 'xn--mgbayh7gpa'],
  ...['xn--80ao21a', 'xn--q7ce6a', 'xn--mix891f', 'xn--mgbx4cd0ab', 'xn--mgbah1a3hjkrd', 'xn--l1acc'],
  ...['xn--mgbc0a9azcg', 'xn--d1alf', 'xn--mgb9awbf', 'xn--mgbai9azgqp6j', 'xn--ygbi2ammx', 'xn--wgbl6a'],
  ...[
    'xn--p1ai',
    'xn--mgberp4a5d4ar',
    'xn--90a3ac',
    'xn--yfro4i67o',
    'xn--clchc0ea0b2g2a9gcd',
    'xn--3e0b707e',
  ],
  ...['xn--fzc2c9e2c', 'xn--xkc2al3hye2a', 'xn--mgbpl2fh', 'xn--ogbpf8fl', 'xn--kprw13d', 'xn--kpry57d'],
  ...['xn--o3cw4h', 'xn--pgbs0dh', 'xn--j1amh', 'xn--mgbaam7a8h', 'xn--mgb2ddes'],
]);
