import { type Json, schemasPlace } from './openapi-schemas.ts';

/**
 * The API document as one page for people. It has no script and loads nothing, so it works without
 * a network and under the strictest content security policy.
 */
export function renderApiPage(document: Json): string {
  const operations = operationsOf(document);
  const { schemas } = document.components;
  const sections = document.tags.map(({ name }: { name: string }) => {
    const own = operations.filter((operation) => operation.tag === name);
    return `<section aria-labelledby="${slug(name)}"><h2 id="${slug(name)}">${text(name)}</h2>${own
      .map((operation) => renderOperation(operation, schemas))
      .join('')}</section>`;
  });
  const links = document.tags.map(
    ({ name }: { name: string }) => `<li><a href="#${slug(name)}">${text(name)}</a></li>`,
  );
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API · ${text(document.info.title)}</title>
<style>${css}</style>
</head>
<body>
<a class="skip" href="#calls">To the calls</a>
<nav aria-label="Groups of calls"><p class="brand">${text(document.info.title)}</p><ul>${links.join('')}
<li><a href="#objects">Objects</a></li>
<li><a href="#errors">Errors</a></li></ul><p><a href="/api/openapi.json">openapi.json</a></p></nav>
<main id="calls">
<h1>API</h1>
<p class="lead">${withCode(document.info.description)}</p>
${sections.join('\n')}
${renderObjects(schemas)}
${renderErrors(document)}
</main>
</body>
</html>
`;
}

interface Operation extends Json {
  method: string;
  path: string;
  tag: string;
}

function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      tag: operation.tags[0],
    })),
  );
}

function renderOperation(operation: Operation, schemas: Json): string {
  const parts = [`<p>${withCode(operation.description)}</p>`];
  if (operation.parameters) {
    const rows = operation.parameters.map((parameter: Json) =>
      fieldRow(
        parameter.name,
        { ...parameter.schema, description: parameter.description },
        parameter.required,
        {
          place: parameter.in === 'path' ? 'in the path' : '',
          depth: 0,
        },
      ),
    );
    parts.push(table('Parameters', rows));
  }
  for (const [type, { schema }] of Object.entries<Json>(operation.requestBody?.content ?? {})) {
    parts.push(table(`Body <code>${text(type)}</code>`, schemaRows(schema, schemas)));
  }
  for (const [status, given] of Object.entries<Json>(operation.responses)) {
    if (given.$ref) continue;
    const contents = Object.entries<Json>(given.content ?? {});
    const rows = schemaRows(contents[0]?.[1].schema ?? {}, schemas);
    const types = contents.map(([type]) => ` <code>${text(type)}</code>`);
    const label = `Answer ${text(status)}${types.join(' or')}`;
    parts.push(rows.length > 0 ? table(label, rows) : `<h4>${label}</h4><p>${text(given.description)}</p>`);
  }
  const failures = Object.entries<Json>(operation.responses)
    .filter(([, given]) => given.$ref)
    .map(([status]) => `<a href="#error-${text(status)}">${text(status)}</a>`);
  parts.push(`<p class="failures">May fail with ${failures.join(', ')}</p>`);
  const id = text(operation.operationId);
  const path = text(operation.path).replace(/\{[^}]+\}/g, (part) => `<i>${part}</i>`);
  return `<details id="${id}"><summary><span class="method ${operation.method.toLowerCase()}">${operation.method}</span>
<code>${path}</code><span class="summary">${text(operation.summary)}</span></summary><div class="inside">${parts.join('')}</div></details>`;
}

const table = (label: string, rows: string[]): string =>
  rows.length === 0
    ? ''
    : `<h4>${label}</h4><div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;

/**
 * One row for each field. The fields of nested objects are indented below. Objects with a name have
 * a place of their own, to which their fields lead.
 */
function schemaRows(given: Json, schemas: Json, depth = 0): string[] {
  if (depth > 4) return [];
  const isNested = depth > 0;
  if (given.$ref && isNested) return [];
  const schema = resolved(given, schemas);
  const variants = variantsOf(schema);
  if (variants && !schema.properties) {
    const objects = variants
      .filter(({ $ref }) => !($ref && isNested))
      .map((variant) => resolved(variant, schemas))
      .filter((variant) => variant.properties);
    return objects.flatMap((variant, index) => [
      ...(index > 0 ? [`<tr><td colspan="3" class="or">or</td></tr>`] : []),
      ...schemaRows(variant, schemas, depth),
    ]);
  }
  if (schema.type === 'array') return schemaRows(schema.items ?? {}, schemas, depth);
  const required: string[] = schema.required ?? [];
  return Object.entries<Json>(schema.properties ?? {}).flatMap(([name, field]) => [
    fieldRow(name, field, required.includes(name), { place: '', depth }),
    ...schemaRows(field, schemas, depth + 1),
  ]);
}

const variantsOf = (schema: Json): Json[] | undefined => schema.anyOf ?? schema.oneOf;

const nameIn = ({ $ref }: Json): string | null =>
  typeof $ref === 'string' && $ref.startsWith(schemasPlace) ? $ref.slice(schemasPlace.length) : null;

function resolved(schema: Json, schemas: Json): Json {
  const name = nameIn(schema);
  return name === null ? schema : schemas[name];
}

function fieldRow(
  name: string,
  field: Json,
  required: boolean,
  { place, depth }: { place: string; depth: number },
): string {
  const meaning = [
    field.description,
    place,
    required ? '' : 'optional',
    field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`,
    limits(field),
  ].filter(Boolean);
  return `<tr><td class="depth-${Math.min(depth, 4)}"><code>${text(name)}</code></td><td>${typeOf(field)}</td><td>${withCode(meaning.join(' · '))}</td></tr>`;
}

/** The type as HTML: named objects are links. */
function typeOf(field: Json): string {
  const name = nameIn(field);
  if (name !== null) return `<a href="#${objectId(name)}">${text(name)}</a>`;
  if (field.enum) return text(field.enum.map((value: unknown) => JSON.stringify(value)).join(' | '));
  if (field.const !== undefined) return text(JSON.stringify(field.const));
  const variants = variantsOf(field);
  if (variants) return variants.map(typeOf).join(' | ');
  if (field.type === 'array') return `list of ${typeOf(field.items ?? {})}`;
  if (Array.isArray(field.type)) return text(field.type.join(' | '));
  if (field.format === 'date-time') return 'date and time';
  if (field.format === 'date') return 'date';
  return text(field.type ?? 'any');
}

const objectId = (name: string): string => `object-${text(name)}`;

/** What has a name, each once: its fields, or what it is one of. */
function renderObjects(schemas: Json): string {
  const objects = Object.entries<Json>(schemas).map(([name, schema]) => {
    const hasFields = [schema, ...(variantsOf(schema) ?? [])].some(({ properties }) => properties);
    const own = hasFields
      ? table(`<code>${text(name)}</code>`, schemaRows(schema, schemas))
      : `<p>${typeOf(schema)}</p>`;
    return `<details><summary><code>${text(name)}</code></summary><div class="inside" id="${objectId(name)}">${own}</div></details>`;
  });
  return `<section aria-labelledby="objects"><h2 id="objects">Objects</h2>${objects.join('')}</section>`;
}

function limits(field: Json): string {
  const said: string[] = [];
  if (field.minimum !== undefined) said.push(`from ${field.minimum}`);
  if (field.exclusiveMinimum !== undefined) said.push(`above ${field.exclusiveMinimum}`);
  if (field.maximum !== undefined) said.push(`to ${field.maximum}`);
  if (field.maxLength !== undefined) said.push(`at most ${field.maxLength} characters`);
  if (field.maxItems !== undefined) said.push(`at most ${field.maxItems} items`);
  return said.join(', ');
}

function renderErrors(document: Json): string {
  const rows = Object.entries<Json>(document.components.responses).map(
    ([status, { description }]) =>
      `<tr id="error-${text(status)}"><td>${text(status)}</td><td>${withCode(description)}</td></tr>`,
  );
  return `<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
${table('What every failed call answers', schemaRows(document.components.schemas.Error, document.components.schemas))}
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const text = (value: unknown): string =>
  String(value).replace(/[&<>"']/g, (character) => entities[character] ?? '');
/** Text in which backticks mark code. */
const withCode = (value: string): string => text(value).replace(/`([^`]+)`/g, '<code>$1</code>');
const slug = (name: string): string => `tag-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

const css = `
:root{--ground:#fff;--sunk:#f6f8f9;--line:#e1e6e9;--text:#14191d;--dim:#5a6670;--link:#0c5d75;--get:#0c5870;--get-tint:#e0eff4;--post:#1b6e43;--post-tint:#e5f4eb;--change:#8a5300;--change-tint:#fbf1dd;--delete:#b3261e;--delete-tint:#fcecea}
@media (prefers-color-scheme:dark){:root{--ground:#12181c;--sunk:#0d1215;--line:#263036;--text:#e7eaec;--dim:#9aa5ae;--link:#63bbd6;--get:#63bbd6;--get-tint:#10303b;--post:#71c795;--post-tint:#14301f;--change:#e5b15c;--change-tint:#35270f;--delete:#f2938a;--delete-tint:#3a1b1a}}
*{box-sizing:border-box}
html{scroll-padding-top:16px}
body{margin:0;display:grid;grid-template-columns:232px minmax(0,1fr);background:var(--ground);color:var(--text);font:14px/20px Inter,system-ui,-apple-system,'Segoe UI',sans-serif}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:1px}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--ground);padding:8px;z-index:1}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:16px;background:var(--sunk);border-right:1px solid var(--line)}
nav ul{list-style:none;margin:16px 0;padding:0}
nav li a{display:block;padding:5px 8px;border-radius:6px;color:var(--text);text-decoration:none}
nav li a:hover{background:var(--line)}
.brand{margin:0;font-weight:600}
main{padding:28px;max-width:1040px}
h1{margin:0 0 4px;font-size:20px;line-height:28px}
h2{margin:32px 0 12px;font-size:16px;line-height:24px}
h4{margin:16px 0 6px;font-size:12px;line-height:16px;font-weight:500;color:var(--dim)}
.lead{margin:0;max-width:68ch;color:var(--dim)}
code{font-family:'JetBrains Mono',ui-monospace,Menlo,Consolas,monospace;font-size:13px}
summary code{overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:8px;margin:0 0 8px}
summary{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline;padding:9px 12px;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary:hover,details[open]>summary{background:var(--sunk);border-radius:8px}
summary i{color:var(--link);font-style:normal}
.summary{color:var(--dim)}
.method{min-width:60px;text-align:center;padding:0 7px;border-radius:4px;font-size:12px;font-weight:500;color:var(--get);background:var(--get-tint)}
.post{color:var(--post);background:var(--post-tint)}
.patch,.put{color:var(--change);background:var(--change-tint)}
.delete{color:var(--delete);background:var(--delete-tint)}
.inside{padding:0 16px 12px;border-top:1px solid var(--line);scroll-margin-top:56px}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse}
th{text-align:left;font-size:12px;line-height:16px;font-weight:500;color:var(--dim)}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);vertical-align:top}
td:first-child{white-space:nowrap}
th:first-child{width:20%}th:nth-child(2){width:30%}
.depth-1{padding-left:16px}.depth-2{padding-left:32px}.depth-3{padding-left:48px}.depth-4{padding-left:64px}
.or{color:var(--dim)}
.failures{margin:16px 0 0;color:var(--dim)}
tr:target,details:target,.inside:target{background:var(--get-tint)}
@media (max-width:767px){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}nav ul{display:flex;flex-wrap:wrap;gap:4px;margin:8px 0}main{padding:16px}}
`;
