import type { AddressKind } from '#features/addresses/rules.ts';
import {
  type ContactIndex,
  domainCondition,
  listedCondition,
  type Unlisted,
} from '#features/audience/server/index.ts';
import { chooseProfiles, kindRule, ukRule, verdictRules } from '../rules/conditions.ts';
import { byRisk, byVerdict } from '../rules/orders.ts';
import { canHaveKind, isOfKind, isOfUkClass } from './address-kinds.ts';
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
const byAddress: Unlisted<AddressKind> = { sql: isOfKind, ofDomain: canHaveKind };

/**
 * What can be asked about the last verification: verdict, reason, kind of address and risk. And the
 * UK class of the domain.
 */
export const verificationConditions = [
  ...verdictRules.map((rule) => listedCondition(rule, byProfile)),
  listedCondition(kindRule, byProfile, byAddress),
  domainCondition(ukRule, isOfUkClass),
];
