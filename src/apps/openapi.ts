import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { endpointsOfAll, errorsOfAll, type ServerFeature } from '#platform/server/feature.ts';
import { buildOpenApi, endpointsOf, type NamedEndpoint } from '#platform/server/openapi.ts';
import type { Json } from '#platform/server/openapi-schemas.ts';
import * as operations from '#platform/shared/operations.ts';
import { features } from './features.ts';

export function allEndpoints(of: readonly ServerFeature[] = features): NamedEndpoint[] {
  return [...endpointsOf(operations), ...endpointsOfAll(of)];
}

/** The OpenAPI document of the whole product. */
export function apiDocument(of: readonly ServerFeature[] = features): Json {
  return buildOpenApi(allEndpoints(of), errorsOfAll(of));
}

/** The document as the repository stores it. */
export function apiDocumentText(): string {
  return `${JSON.stringify(apiDocument(), null, 2)}\n`;
}

export const apiDocumentFile = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

/** `npm run openapi` writes the document. With `--check` it only compares. */
if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  if (values.check) check();
  else write();
}

function check(): void {
  const isRight = existsSync(apiDocumentFile) && readFileSync(apiDocumentFile, 'utf8') === apiDocumentText();
  if (isRight) return;
  process.stderr.write(
    'docs/openapi.json is not what the contracts say. `npm run openapi` writes it anew.\n',
  );
  process.exitCode = 1;
}

function write(): void {
  mkdirSync(new URL('../../docs/', import.meta.url), { recursive: true });
  writeFileSync(apiDocumentFile, apiDocumentText());
  process.stdout.write(`Wrote ${apiDocumentFile}\n`);
}
