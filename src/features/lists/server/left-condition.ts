import { sql } from 'kysely';
import { z } from 'zod';
import { condition } from '#features/audience/server/index.ts';

/**
 * Contacts who have left one of these lists as readers. For what follows up a campaign: somebody
 * who got it has perhaps left its list since.
 */
export const leftCondition = condition(
  {
    key: 'leftList',
    schema: z.array(z.number().int().positive()).min(1),
    bound: 'nothing',
    words: (lists) => `its owner left list ${lists.join(' or ')}`,
  },
  // Few have left, so they are looked up once and not for each contact.
  (lists, { workspaceId }) => sql`(c.domain, c.local) in (
    select t.domain, t.local from topic_leavings t
    where t.workspace_id = ${workspaceId} and t.list_id in (${sql.join(lists.map((id) => sql`${id}`))})
      and t.ended_at is null)`,
);
