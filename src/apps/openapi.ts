import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as activities from '#features/activities/contract.ts';
import * as addresses from '#features/addresses/contract.ts';
import * as admin from '#features/admin/contract.ts';
import * as apiKeys from '#features/api-keys/contract.ts';
import * as audit from '#features/audit/contract.ts';
import * as contacts from '#features/contacts/contract.ts';
import * as identity from '#features/identity/contract.ts';
import * as imports from '#features/imports/contract.ts';
import * as mail from '#features/mail/contract.ts';
import * as maintenance from '#features/maintenance/contract.ts';
import * as settings from '#features/settings/contract.ts';
import * as suppressions from '#features/suppressions/contract.ts';
import * as tasks from '#features/tasks/contract.ts';
import * as timeline from '#features/timeline/contract.ts';
import * as verification from '#features/verification/contract.ts';
import * as views from '#features/views/contract.ts';
import { buildOpenApi, endpointsOf, type Json, type NamedEndpoint } from '#platform/server/openapi.ts';
import * as operations from '#platform/shared/operations.ts';

/** The contracts of all features. A test compares this list with the folders. */
const contracts = {
  activities,
  addresses,
  apiKeys,
  audit,
  admin,
  contacts,
  identity,
  imports,
  mail,
  maintenance,
  operations,
  settings,
  suppressions,
  tasks,
  timeline,
  verification,
  views,
};

/** Every call of the product with its name. */
export function allEndpoints(): NamedEndpoint[] {
  return Object.values(contracts).flatMap(endpointsOf);
}

/** The OpenAPI document of the whole product. */
export function apiDocument(): Json {
  return buildOpenApi(allEndpoints());
}

/** The document as it is kept in the repository. */
export function apiDocumentText(): string {
  return `${JSON.stringify(apiDocument(), null, 2)}\n`;
}

export const apiDocumentFile = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

/** `npm run openapi` writes the document. */
if (import.meta.main) {
  mkdirSync(new URL('../../docs/', import.meta.url), { recursive: true });
  writeFileSync(apiDocumentFile, apiDocumentText());
  process.stdout.write(`Wrote ${apiDocumentFile}\n`);
}
