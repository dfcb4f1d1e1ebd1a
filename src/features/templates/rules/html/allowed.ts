const listed = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean));

/** What a mail is made of. The tags of all others are left out, and what stands in them stays. */
export const elements = listed(`
  html head body title meta style link
  div span p h1 h2 h3 h4 h5 h6 a img br hr wbr
  table thead tbody tfoot tr td th caption colgroup col
  ul ol li dl dt dd blockquote pre code kbd samp var tt
  b strong i em u s strike del ins small big sub sup font center mark abbr acronym cite q dfn time
  address article section header footer main nav aside figure figcaption picture source map area bdo bdi`);

/** What goes with all that stands in it. */
export const dropped: Readonly<Record<string, string>> = {
  script: 'a script',
  noscript: 'what stands in for a script',
  iframe: 'a frame',
  frameset: 'a frame',
  noframes: 'a frame',
  noembed: 'an embedded object',
  object: 'an embedded object',
  applet: 'an embedded object',
  svg: 'an SVG picture',
  math: 'a formula',
  template: 'a template of a page',
  select: 'a field of a form',
  datalist: 'a field of a form',
  textarea: 'a field of a form',
  audio: 'sound',
  video: 'a video',
  canvas: 'a canvas',
  xml: 'data for a program',
  xmp: 'old preformatted text',
  plaintext: 'old preformatted text',
  listing: 'old preformatted text',
};

/** What is worth telling when its tag is left out. */
export const told: Readonly<Record<string, string>> = {
  form: 'a form',
  input: 'a field of a form',
  button: 'a button of a form',
  fieldset: 'a form',
  label: 'a label of a form',
  base: 'a base address',
  embed: 'an embedded object',
  param: 'an embedded object',
  frame: 'a frame',
  image: 'a picture',
  bgsound: 'sound',
  marquee: 'moving text',
  blink: 'blinking text',
  layer: 'a layer',
  portal: 'a frame',
};

const attributes = listed(`
  class id style dir lang title hidden role
  align valign width height bgcolor border bordercolor cellpadding cellspacing nowrap colspan rowspan
  scope headers abbr span summary frame rules color face size clear noshade hspace vspace
  href target name src srcset sizes alt usemap shape coords type start value reversed cite datetime
  background link alink vlink text leftmargin topmargin marginwidth marginheight
  charset http-equiv content media rel xml:lang`);

/** Addresses: where they lead to is checked. */
export const addresses = listed('href src background cite srcset');

export function isAllowedAttribute(name: string): boolean {
  return attributes.has(name) || /^aria-[a-z]+$/.test(name) || /^xmlns(:[a-z]+)?$/.test(name);
}

/**
 * Outlook's drawings and settings, which only stand in its conditional comments. Outlook runs no
 * scripts, and MJML hides the settings from others that read these comments.
 */
export function isOutlookElement(name: string): boolean {
  return name === 'xml' || name === 'noscript' || /^[vow]:[a-z]+$/.test(name);
}

const drawing = listed(`
  arcsize fillcolor strokecolor strokeweight stroked stroke filled fill inset opacity aspect position origin
  coordorigin coordsize path alignshape on type color size weight dashstyle v:ext`);

export function isOutlookAttribute(name: string): boolean {
  return drawing.has(name) || /^[vow]:[a-z]+$/.test(name);
}
