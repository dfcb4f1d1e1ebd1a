import { readSettings } from '#features/settings/server/index.ts';
import { escapeHtml } from '#features/templates/rules/liquid/values.ts';
import type { TenantTx } from '#platform/server/database.ts';

/** Pages for readers. They need no script, and say who has written. */

export interface Writer {
  company: string;
  postalAddress: string;
}

export async function writerOf(tx: TenantTx, workspaceId: number): Promise<Writer> {
  const { sender } = await readSettings(tx, workspaceId);
  return { company: sender.company || sender.fromName || 'the sender', postalAddress: sender.postalAddress };
}

const style = `
:root{color-scheme:light dark;--ink:#1c2529;--paper:#fff;--ground:#f3f5f6;--line:#d5dcdf;--accent:#0f6b7a}
@media(prefers-color-scheme:dark){:root{--ink:#e6ebed;--paper:#1b2225;--ground:#12181a;--line:#37434a;--accent:#2f9fb0}}
body{margin:0;background:var(--ground);color:var(--ink);font:17px/1.55 system-ui,sans-serif}
main{box-sizing:border-box;max-width:34rem;margin:8vh auto 0;padding:2rem;background:var(--paper);border:1px solid var(--line);border-radius:10px}
h1{margin:0 0 .75rem;font-size:1.4rem;line-height:1.25}p{margin:0 0 1rem}
button{font:inherit;font-weight:600;padding:.7rem 1.2rem;border:0;border-radius:8px;background:var(--accent);color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
footer{max-width:34rem;margin:1rem auto 3rem;padding:0 2rem;font-size:.85rem;opacity:.85;white-space:pre-line}
@media(max-width:36rem){main{margin:0;border:0;border-radius:0}}
`;

function page(title: string, body: string, writer: Writer | null): string {
  const foot = writer
    ? `<footer>${escapeHtml([writer.company, writer.postalAddress].filter(Boolean).join('\n'))}</footer>`
    : '';
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main>${foot}</body></html>
`;
}

/** Asks whether this address should get no more. */
export const leavePage = (writer: Writer, address: string): string =>
  page(
    `Leave the mailing list of ${writer.company}?`,
    `<p><b>${escapeHtml(address)}</b> gets no more news from ${escapeHtml(writer.company)} once you press the button.</p>
<form method="post"><button type="submit">Unsubscribe</button></form>`,
    writer,
  );

export const leftPage = (writer: Writer, address: string): string =>
  page(
    'You are unsubscribed',
    `<p><b>${escapeHtml(address)}</b> gets no more news from ${escapeHtml(writer.company)}. You can close this page.</p>`,
    writer,
  );

export const unknownPage = (): string =>
  page(
    'This link is not known any more',
    '<p>It may be cut off or too old. Copy the whole link from the email, or write to whoever sent it.</p>',
    null,
  );
