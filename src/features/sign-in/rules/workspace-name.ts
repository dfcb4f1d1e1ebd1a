import { splitName } from '../rules.ts';

/**
 * Domains that people of many organisations share, so that the domain does not name a business:
 * free mail, British internet providers, and the health service's one domain.
 */
const sharedDomains = new Set(
  `gmail.com googlemail.com outlook.com outlook.co.uk hotmail.com hotmail.co.uk live.com live.co.uk msn.com
  passport.com yahoo.com yahoo.co.uk yahoo.ie ymail.com rocketmail.com icloud.com me.com mac.com aol.com aol.co.uk
  aim.com proton.me protonmail.com pm.me tutanota.com tuta.com tuta.io fastmail.com fastmail.fm hey.com duck.com
  gmx.com gmx.co.uk gmx.net gmx.de web.de mail.com email.com zoho.com zohomail.com zohomail.eu yandex.com yandex.ru
  mail.ru qq.com 163.com btinternet.com btopenworld.com btconnect.com talk21.com sky.com virginmedia.com virgin.net
  ntlworld.com blueyonder.co.uk talktalk.net tiscali.co.uk lineone.net tesco.net plus.com plusnet.com o2.co.uk
  orange.net orange.co.uk wanadoo.co.uk freeserve.co.uk fsmail.net uwclub.net supanet.com madasafish.com
  eclipse.co.uk zen.co.uk ee.co.uk vodafone.net nhs.net eircom.net mailbox.org posteo.net posteo.de`.split(
    /\s+/,
  ),
);

/**
 * The name of a new user's workspace: the company's domain, or the person's first name if the
 * domain names no company.
 */
export function workspaceName(user: { name: string; email: string }): string {
  const domain = user.email.slice(user.email.lastIndexOf('@') + 1).toLowerCase();
  if (domain.includes('.') && !sharedDomains.has(domain)) return domain;
  const { firstName } = splitName(user.name);
  return firstName === '' ? 'My workspace' : `${firstName}'s workspace`;
}
