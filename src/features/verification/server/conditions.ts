import { type ContactIndex, listedCondition } from '#features/audience/server/index.ts';
import { chooseProfiles, verificationRules } from '../rules/conditions.ts';
import { byRisk, byVerdict } from '../rules/orders.ts';
import { type CountedProfile, selectProfiles } from './profile-queries.ts';

/** Contacts by verdict profile: one list per profile, with its number of contacts. */
const byProfile: ContactIndex<CountedProfile[]> = {
  table: 'contact_verifications',
  list: 'profile_id',
  load: selectProfiles,
  choose: (leaves, profiles) => chooseProfiles(leaves, profiles).filter(({ contacts }) => contacts > 0),
  inOrder: (sort, profiles) => (sort === 'verdict' ? byVerdict : byRisk)(profiles),
};

/**
 * What can be asked about the last verification: verdict, reason, kind of address, UK class and
 * risk.
 */
export const verificationConditions = verificationRules.map((rule) => listedCondition(rule, byProfile));
