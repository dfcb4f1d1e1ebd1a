import { type AddressKind, createJudge } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import {
  type ContactIndex,
  domainCondition,
  listedCondition,
  type Unlisted,
} from '#features/audience/server/index.ts';
import { contactStates, type StoredContact } from '#features/contacts/rules.ts';
import { segmentField } from '#features/segments/server/index.ts';
import { chooseProfiles, kindRule, ukRule, verdictRules } from '../rules/conditions.ts';
import { byRisk, byVerdict } from '../rules/orders.ts';
import { verificationFields } from '../rules/segment-fields.ts';
import { canHaveKind, isOfKind, isOfUkClass, mayHaveKind } from './address-kinds.ts';
import { type CountedProfile, selectProfiles } from './profile-queries.ts';

/** Contacts by verdict profile: one list per profile, with its number of contacts. */
const byProfile: ContactIndex<CountedProfile[]> = {
  table: 'contact_verifications',
  list: 'profile_id',
  load: selectProfiles,
  choose: (leaves, profiles) => chooseProfiles(leaves, profiles).filter(({ contacts }) => contacts > 0),
  inOrder: (sort, profiles) => (sort === 'verdict' ? byVerdict : byRisk)(profiles),
  size: (profiles) => profiles.reduce((sum, { contacts }) => sum + contacts, 0),
};

/** The kind of an address that was never verified. */
const byAddress: Unlisted<AddressKind> = {
  sql: isOfKind,
  ofDomain: canHaveKind,
  atDomain: mayHaveKind,
};

/**
 * What can be asked about the last verification: verdict, reason, kind of address and risk. And the
 * UK class of the domain.
 */
export const verificationConditions = [
  ...verdictRules.map((rule) => listedCondition(rule, byProfile)),
  listedCondition(kindRule, byProfile, { unlisted: byAddress }),
  domainCondition(ukRule, isOfUkClass),
];

/** Making a judge takes a moment, so it happens when somebody first asks. */
let judge: ReturnType<typeof createJudge> | undefined;

/** As `kind` says in the list: of the last verification, or by the address. */
function kindOf({ verification, state, local, domain }: StoredContact): string | null {
  if (verification) return verification.kind;
  if (state === contactStates.invalid || !domain.includes('.')) return null;
  // What only strict rules refuse may be mailed where they are off.
  judge ??= createJudge({ idna, strict: false });
  return judge(`${local}@${domain}`).kind;
}

export const verificationSegmentFields = verificationFields(kindOf).map(segmentField);
