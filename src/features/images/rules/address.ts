export const imageFormats = ['png', 'jpg', 'gif'] as const;
export type ImageFormat = (typeof imageFormats)[number];

export const contentTypes: Readonly<Record<ImageFormat, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
};

/** What a public address says. */
export interface ImageAddress {
  workspaceId: number;
  /** 128 random bits. */
  token: string;
  format: ImageFormat;
}

/** Where an image is served, below the product's own address. */
export const pathOf = ({ workspaceId, token, format }: ImageAddress): string =>
  `/i/${workspaceId}-${token}.${format}`;

const fileName = /^([1-9]\d{0,15})-([\w-]{22})\.(png|jpg|gif)$/;

/** Reads the last part of an address. Null when no image of ours has such a name. */
export function addressIn(file: string): ImageAddress | null {
  const [, workspace, token, format] = fileName.exec(file) ?? [];
  const workspaceId = Number(workspace);
  if (!token || !Number.isSafeInteger(workspaceId)) return null;
  return { workspaceId, token, format: format as ImageFormat };
}

/**
 * Reads a URL as it stands in an email. Its host does not count: a product may have had several,
 * and the token says enough.
 */
export function addressInUrl(url: string): ImageAddress | null {
  const [, file = ''] = /^(?:https?:\/\/[^/?#]+)?\/i\/([^/?#]+)(?:[?#]|$)/i.exec(url.trim()) ?? [];
  return addressIn(file);
}

/** The tokens of all images of ours that a text names, as the database's `image_tokens_in` does. */
export const tokensIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/(?<=[1-9]\d{0,15})-([\w-]{22})\.(?:png|jpg|gif)/g)].map(
      ([, token]) => token as string,
    ),
  ),
];

/**
 * HTML that shows images of ours from the page's own host. A screen may be open at another address
 * than the one that emails name, and its content policy lets nothing else in.
 */
export const fromThisHost = (html: string): string =>
  html.replace(/\bhttps?:\/\/[^\s"'<>/]+(\/i\/[1-9]\d*-[\w-]{22}\.(?:png|jpg|gif))/gi, '$1');
