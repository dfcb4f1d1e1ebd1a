/** The endings an import keeps until somebody changes the settings. */
export const defaultAllowedDomains: string[] = [
  '.uk',
  '.co.uk',
  '.org.uk',
  '.me.uk',
  '.ac.uk',
  '.gov.uk',
  '.nhs.uk',
  '.police.uk',
];

/**
 * - `uk`: ends in .uk (or .gb), .scot, .wales, .cymru or .london.
 * - `likely_uk`: a UK mail provider or organisation with another ending (btinternet.com, bbc.com),
 *   or a name below uk.com and similar endings.
 * - `global`: a worldwide mail provider (gmail.com); its users may live anywhere.
 * - `not_uk`: everything else, including a company's own .com: nothing about it points to the UK.
 */
export const ukClasses = ['uk', 'likely_uk', 'global', 'not_uk'] as const;
export type UkClass = (typeof ukClasses)[number];

/**
 * - `suffix`: only the allowed endings. `.uk` among them stands for the whole class `uk`.
 * - `likely`: those, and the classes `uk` and `likely_uk`.
 * - `any_but_foreign_cctld`: everything except other countries' endings (every two-letter ending
 *   except .uk and .gb, even if marketed otherwise, and the countries' endings in other scripts),
 *   and whatever `likely` keeps.
 */
export const ukPolicies = ['suffix', 'likely', 'any_but_foreign_cctld'] as const;
export type UkPolicy = (typeof ukPolicies)[number];
