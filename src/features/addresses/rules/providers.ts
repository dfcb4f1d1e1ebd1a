/**
 * Mail providers by domain, kept by hand. A name is here because people in the United Kingdom are given
 * (or were given, and keep) mailboxes under it; sources: the providers' own help pages on webmail settings and on
 * keeping an old address after leaving. Names ending in .uk are not listed: the ending decides for them.
 */

/** UK internet and mail providers that use an ending other than .uk, by the company behind the mailboxes today. */
export const ukProviders: ReadonlySet<string> = new Set([
  // BT Group: BT Internet, BT Openworld, BT Connect (business), Talk21, BT Click, EE.
  ...['btinternet.com', 'btopenworld.com', 'btconnect.com', 'btclick.com', 'talk21.com', 'bt.com', 'ee.com'],
  // Sky UK: Sky, and Easynet's home customers. (sky.it and sky.de are other companies.)
  ...['sky.com', 'skymail.com', 'bskyb.com', 'easynet.com', 'ukonline.net'],
  // Virgin Media O2: Virgin.net, NTL, Telewest Blueyonder, Cable & Wireless home customers, O2.
  ...[
    'virginmedia.com',
    'virgin.net',
    'ntlworld.com',
    'ntlbusiness.com',
    'blueyonder.com',
    'cwcom.net',
    'o2.com',
  ],
  // TalkTalk: Tiscali UK, Pipex, AOL's UK broadband, Lineone, Nildram, OneTel, World Online, Screaming.net, Toucan.
  ...['talktalk.net', 'talktalk.com', 'talktalkbusiness.net', 'lineone.net', 'pipex.com', 'dial.pipex.com'],
  ...['dsl.pipex.com', 'onetel.com', 'onetel.net', 'screaming.net', 'toucansurf.com', 'nildram.net'],
  // Plusnet: Plusnet, Force9, Free-Online, Metronet, Madasafish, Brightview's names.
  ...['plusnet.com', 'plus.net', 'plus.com', 'force9.net', 'f9.net', 'metronet.com', 'madasafish.com'],
  ...['brightview.com', 'waitrose.com', 'globalnet.net'],
  // Orange UK, Freeserve and Wanadoo UK wrote under .co.uk; Freeserve's other name is here.
  ...['freeserve.com', 'fsmail.net', 'fsnet.com', 'fsworld.com'],
  // Vodafone UK, Demon, Energis, Thus; Zen; Claranet's home customers; KCOM in Hull; Gamma; Daisy.
  ...['vodafoneemail.com', 'vodafone.net', 'demon.net', 'zen.net', 'clara.net', 'claranet.com', 'karoo.com'],
  ...['kcom.com', 'daisybroadband.net', 'gotadsl.net'],
  // Post Office, Tesco and other shops that gave mailboxes under names outside .uk.
  ...['tesco.net', 'postoffice.net', 'which.net', 'totalise.net', 'ic24.net', 'supanet.com', 'bigfoot.net'],
  // Northern Ireland, the Scottish islands and other regional networks.
  ...['utvinternet.com', 'utvmail.com', 'nireland.com', 'shetland.net', 'orkney.com', 'manx.net'],
  // Small UK providers and hosts with home customers.
  ...[
    'aaisp.net',
    'andrews-arnold.com',
    'eclipse.net',
    'mailbox.net',
    'uwclub.net',
    'hyperoptic.com',
    'gigaclear.com',
  ],
  // Health service mail for England and Scotland; the parliaments and schools' networks outside .uk.
  ...['nhs.net', 'lgfl.net', 'e-lfh.org', 'rm.com', 'swgfl.org'],
  // Registries that sell names for the United Kingdom below generic and other endings (CentralNic).
  ...['uk.com', 'uk.net', 'gb.com', 'gb.net'],
  // Mail names sold to people in the UK.
  ...[
    'uk2.net',
    'ukgateway.net',
    'ukmail.com',
    'britishlibrary.net',
    'england.com',
    'scotland.com',
    'wales.com',
  ],
]);

/** Worldwide mailboxes that say nothing about the country, national branches (`yahoo.fr`) not included. */
export const globalProviders: ReadonlySet<string> = new Set([
  ...['gmail.com', 'googlemail.com'],
  ...['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'passport.com', 'windowslive.com'],
  ...['yahoo.com', 'ymail.com', 'rocketmail.com', 'myyahoo.com'],
  ...['aol.com', 'aim.com', 'netscape.net', 'compuserve.com', 'cs.com', 'verizon.net'],
  ...['icloud.com', 'me.com', 'mac.com'],
  ...['proton.me', 'protonmail.com', 'pm.me'],
  ...['gmx.com', 'gmx.net', 'mail.com', 'email.com', 'usa.com', 'post.com', 'europe.com', 'consultant.com'],
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
  ...['inbox.com', 'lycos.com', 'excite.com', 'juno.com', 'netzero.net', 'bigfoot.com', 'rediffmail.com'],
]);

/** Country-code endings outside ASCII, which the two-letter rule does not see (IANA root zone). */
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
