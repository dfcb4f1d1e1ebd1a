import { counted } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const teamWords: FeatureWords = {
  audit: {
    areas: { people: { order: 10, label: 'People' } },
    kinds: { people: ['member', 'invitation', 'workspace'] },
    actions: {
      'invitation.revoked': 'Invitation taken back',
      'member.left': 'Left the workspace',
      'member.role_changed': 'Role changed',
      'workspace.created': 'Workspace made',
      'workspace.two_factor_optional': 'Two-factor sign-in no longer required',
      'workspace.two_factor_required': 'Two-factor sign-in required',
    },
    details: {
      membersWithout: {
        order: 134,
        say: counted('members without it', { one: 'member without it' }),
      },
      role: { order: 200 },
    },
  },
};
