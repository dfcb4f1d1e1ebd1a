import { z } from 'zod';
import { isSenderAddress, notSenderAddress } from '#features/addresses/rules/sender-address.ts';
import { bases } from '#features/contacts/contract.ts';
import { frequencyCap, quietHours } from '#features/pace/contract.ts';
import { skipReasons } from '#features/sending/rules/mailing.ts';
import { suppressionReasons } from '#features/suppressions/contract.ts';
import { document, mjml } from '#features/templates/contract/content.ts';
import { mostTestAddresses, sendTest, testsAnHour } from '#features/templates/contract/test-send.ts';
import { templateDocument } from '#features/templates/rules/document/schema.ts';
import { devices, mailPrograms } from '#features/tracking/rules/agents.ts';
import {
  access,
  cursorField,
  endpoint,
  flag,
  idParams,
  raw,
  walkedItemsOf,
} from '#platform/shared/contract.ts';
import { abTest, mostVariants, shownTest, testStanding } from './contract/ab-test.ts';
import { audiencePart } from './contract/audience-part.ts';
import { campaignStatuses, campaignTemplates, recipientActs, recipientStates } from './rules/campaign.ts';
import { sendRight } from './rules/changing.ts';
import { bounceVerdicts, leftOutVerdicts } from './rules/predicted-bounces.ts';

export * from './contract/breakdown.ts';

export const longestCampaignName = 200;
/** More than a mail program shows. */
export const longestSubject = 300;
/** A campaign of this size is cut off by Gmail many times over. */
export const mostContent = 1_000_000;
/** More than anybody can tell apart. */
export const mostCampaigns = 5_000;
/** As many earlier campaigns a report is compared with. */
export const comparedCampaigns = 5;
/** Lists and tags in one audience. */
export const mostParts = 50;

const oneLine = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, { error: 'Write this in one line, without control characters.' });

export const campaignAudience = z
  .strictObject({
    include: z
      .array(audiencePart)
      .max(mostParts)
      .default([])
      .describe('Whoever is in one of them, once. Empty: everybody who may be mailed.'),
    exclude: z
      .array(audiencePart)
      .max(mostParts)
      .default([])
      .describe('Whoever is in one of them is left out.'),
    notMailedDays: z
      .number()
      .int()
      .min(1)
      .max(90)
      .optional()
      .describe('Leaves out whoever was sent a campaign in so many days before.'),
    leaveOutVerdicts: z
      .array(z.enum(leftOutVerdicts))
      .max(leftOutVerdicts.length)
      .optional()
      .describe('Leaves out contacts whose last verification found this.'),
  })
  .meta({ id: 'CampaignAudience' });
export type CampaignAudience = z.output<typeof campaignAudience>;

const utmField = oneLine(100);
export const campaignUtm = z
  .strictObject({
    source: utmField.min(1, 'Say what the source is, such as newsletter.'),
    medium: utmField.min(1, 'Say what the medium is, such as email.'),
    campaign: utmField.min(1, 'Say what the campaign is called in your analytics.'),
    term: utmField.optional(),
    content: utmField.optional(),
  })
  .meta({ id: 'CampaignUtm' });
export type CampaignUtm = z.output<typeof campaignUtm>;

const counts = {
  totalRecipients: z
    .number()
    .int()
    .describe('Always sent + failed + skipped + uncertain + pending. 0 before it is sent.'),
  sent: z.number().int().describe('A mail server took the message.'),
  delivered: z.number().int().describe('How many were `sent` and did not come back later.'),
  opened: z.number().int().describe('People, without the opens of machines.'),
  clicked: z.number().int().describe('People, without the clicks of machines.'),
  machineOpened: z
    .number()
    .int()
    .describe('Opened by machines alone: privacy proxies, scanners, programs. Not among `opened`.'),
  machineClicked: z.number().int().describe('The same of clicks.'),
  failed: z.number().int().describe('A mail server refused the message for good.'),
  skipped: z.number().int().describe('Not mailed after all: they left, moved or were suppressed meanwhile.'),
  uncertain: z
    .number()
    .int()
    .describe('Handed to a mail server whose answer was never seen. Not sent again by itself.'),
  pending: z.number().int().describe('No final answer yet. Those that wait for another try are among them.'),
  bounced: z
    .number()
    .int()
    .describe(
      'Came back: a mail server refused it for good, at once (`failed`) or after it had taken it (`sent`).',
    ),
  complained: z.number().int().describe('Reported as spam by their readers.'),
  unsubscribed: z.number().int(),
};

export const campaign = z
  .object({
    id: z.number().int(),
    name: z.string(),
    subject: z.string(),
    preheader: z.string(),
    content: z.string(),
    textContent: z.string().nullable().describe('Null: made from the HTML.'),
    document: templateDocument
      .nullable()
      .describe('What `content` is made from in the visual editor. Null in lists.'),
    mjml: z
      .string()
      .nullable()
      .describe('What `content` is made from, when it is written in MJML. Null in lists.'),
    template: z.enum(campaignTemplates),
    templateId: z.number().int().nullable().describe('The template of the workspace that it began with.'),
    status: z.enum(campaignStatuses),
    notice: z
      .string()
      .nullable()
      .describe(
        'Why nothing leaves just now, why it was paused, or why its time was missed. Null as a rule.',
      ),
    ...counts,
    leftOut: z
      .partialRecord(z.enum(skipReasons), z.number().int())
      .describe('Contacts of the audience that may not be mailed, by reason. They are no recipients.'),
    fromName: z.string().nullable().describe('Null: as the settings say. So are the next two.'),
    fromAddress: z.string().nullable(),
    replyTo: z.string().nullable(),
    trackOpens: z.boolean(),
    trackClicks: z.boolean(),
    utm: campaignUtm
      .nullable()
      .describe('Each link to a page carries them as `utm_source` and so on, unless it has its own.'),
    audience: campaignAudience,
    spreadHours: z
      .number()
      .int()
      .nullable()
      .describe('Leaves evenly over so many hours. Null: as fast as it can.'),
    abTest: shownTest.nullable().describe('Null: everybody gets the same.'),
    sendAt: z.iso.datetime().nullable(),
    byRecipientZone: z
      .boolean()
      .describe('It leaves when the clocks of each recipient show what those of London show at `sendAt`.'),
    createdBy: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable().describe('When somebody pressed Send, or its time came.'),
    endedAt: z.iso.datetime().nullable().describe('When the last answer was in.'),
    keptMailingId: z
      .number()
      .int()
      .nullable()
      .describe(
        'By which `/api/outbox/messages` finds its messages that were kept as no mail server is set. Null: none is.',
      ),
    neverLeft: z
      .boolean()
      .describe(
        'True: no mail server was set, so its messages went to the outbox and reached nobody, though they count as `sent`.',
      ),
    archivedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Campaign' });
export type Campaign = z.output<typeof campaign>;

const tag = 'Campaigns';
const read = access.member('viewer', 'campaigns:read');
const write = access.member('editor', 'campaigns:write');
const send = access.member(sendRight.role, sendRight.scope);

/** Nothing is the same as null: as the settings say. */
const addressOrNothing = oneLine(254).refine((text) => text === '' || isSenderAddress(text), {
  error: notSenderAddress,
});

const fields = {
  name: oneLine(longestCampaignName).min(1, 'Campaign name is required'),
  subject: oneLine(longestSubject).min(1, 'Subject is required'),
  content: z
    .string()
    .max(mostContent)
    .refine((text) => text.trim() !== '', 'Content is required'),
  preheader: oneLine(longestSubject).optional(),
  textContent: z.string().max(mostContent).nullish(),
  fromName: oneLine(100).nullish(),
  fromAddress: addressOrNothing.nullish(),
  replyTo: addressOrNothing.nullish(),
  trackOpens: z.boolean().optional(),
  trackClicks: z.boolean().optional(),
  utm: campaignUtm.nullish(),
  audience: campaignAudience.optional(),
  spreadHours: z.number().int().min(1).max(72).nullish(),
  abTest: abTest.nullish(),
};

/** What `content` can be made from. */
const sources = { document: document.optional(), mjml: mjml.optional() };
const hasOneSource = (body: { content?: unknown; document?: unknown; mjml?: unknown }) =>
  [body.content, body.document, body.mjml].filter((one) => one !== undefined).length < 2;
const oneSource = { error: 'Send one of content, document and mjml.' };

export const getCampaigns = endpoint({
  method: 'GET',
  path: '/api/campaigns',
  access: read,
  summary:
    'Campaigns, newest first, all of them unless `limit` says how many. `content`, `textContent` and the content of ' +
    'variants are empty here.',
  tag,
  query: z.object({
    archived: z.enum(['no', 'only', 'all']).default('no'),
    status: z.enum(campaignStatuses).optional(),
    sent: flag.optional().describe('Only what was sent or is being sent, or only what was not.'),
    search: z.string().max(200).optional(),
    from: z.iso.date().optional().describe('The first day, UK time: what leaves or left on it or later.'),
    to: z.iso.date().optional().describe('The last day. With either of them, drafts are left out.'),
    limit: z.coerce.number().int().min(1).max(mostCampaigns).default(mostCampaigns),
    before: z.coerce
      .number()
      .int()
      .positive()
      .optional()
      .describe('The id of the last campaign of the page before: those made earlier.'),
  }),
  response: z.array(campaign),
});

export const createCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns',
  access: write,
  summary:
    'Make a draft. With only name, subject, content and a template it goes to everybody who may be mailed. ' +
    'With `templateId`, its content is copied from a template of the workspace. From `document` or `mjml` the ' +
    'server makes `content`.',
  tag,
  body: z
    .strictObject({
      ...fields,
      ...sources,
      content: fields.content.optional(),
      template: z.enum(campaignTemplates).optional(),
      templateId: z.number().int().positive().optional(),
    })
    .refine(hasOneSource, oneSource),
  response: campaign,
  status: 201,
  fails: ['conflict', 'not_found'],
  limits: `A workspace has at most ${mostCampaigns} campaigns. A campaign has at most ${mostContent} characters.`,
  bodyMegabytes: 4,
});

export const getCampaign = endpoint({
  method: 'GET',
  path: '/api/campaigns/:id',
  access: read,
  summary: 'One campaign, with where each of its recipients stands in numbers.',
  tag,
  params: idParams,
  response: campaign,
});

export const updateCampaign = endpoint({
  method: 'PUT',
  path: '/api/campaigns/:id',
  access: write,
  summary:
    'Change a draft or a scheduled campaign. What is scheduled is changed only by whoever may send: by people with ' +
    'the role sender, and by API keys with the scope `campaigns:send` too. What is left out stays. With `updatedAt`, 409 `changed_meanwhile` when ' +
    'somebody has changed it since, unless all of it is there already. From `document` or `mjml` the server makes `content`. The preheader of a ' +
    'document becomes that of the campaign.',
  tag,
  params: idParams,
  body: z
    .strictObject({
      ...fields,
      ...sources,
      template: z.enum(campaignTemplates),
      updatedAt: z.iso.datetime(),
      onlyDraft: z
        .boolean()
        .describe(
          'True: 409 `campaign_scheduled` when it is scheduled by now. For saves that nobody has asked for.',
        ),
    })
    .partial()
    .refine(hasOneSource, oneSource),
  response: campaign,
  fails: ['conflict', 'changed_meanwhile'],
  bodyMegabytes: 4,
});

export const deleteCampaign = endpoint({
  method: 'DELETE',
  path: '/api/campaigns/:id',
  access: write,
  summary: 'Delete a draft. It can be restored for 30 days. A campaign that was sent is archived instead.',
  tag,
  params: idParams,
  response: z.object({ deleted: z.literal(1) }),
  fails: ['conflict'],
});

export const restoreCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns/:id/restore',
  access: write,
  summary: 'Restore a draft that was deleted less than 30 days ago.',
  tag,
  params: idParams,
  response: campaign,
});

const step = <Name extends string>(name: Name, summary: string, who = send) =>
  endpoint({
    method: 'POST',
    path: `/api/campaigns/:id/${name}`,
    access: who,
    summary,
    tag,
    params: idParams,
    response: campaign,
    fails: ['conflict'],
  });

const seenAt = z.iso
  .datetime()
  .optional()
  .describe(
    'The `updatedAt` of what was looked at. 409 `changed_meanwhile` when somebody has changed it since.',
  );

export const sendCampaign = endpoint({
  ...step(
    'send',
    'Send a draft or a scheduled campaign now. Answers at once; its audience is written down and the messages leave after it. ' +
      'One that is archived comes back.',
  ),
  body: z.strictObject({ updatedAt: seenAt }),
  fails: ['conflict', 'changed_meanwhile'],
});
export const pauseCampaign = step('pause', 'Nothing more leaves from now on, until it is resumed.');
export const resumeCampaign = step('resume', 'Go on sending.');
export const cancelCampaign = step(
  'cancel',
  'Nothing more leaves. Those who have not been mailed are skipped. A scheduled campaign becomes a draft again.',
);
export const archiveCampaign = endpoint({
  ...step('archive', 'Put it away, or bring it back. One that is scheduled cannot be put away.', write),
  body: z.strictObject({
    archived: z
      .boolean()
      .optional()
      .describe('Whether it is put away afterwards. Absent: the other way round than it is.'),
  }),
});

export const scheduleCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns/:id/schedule',
  access: send,
  summary:
    'Send it at a time. Its audience is whoever is meant then. When the time is missed by more than two hours, it asks. ' +
    'One that is archived comes back.',
  tag,
  params: idParams,
  body: z.strictObject({
    sendAt: z.iso.datetime({ offset: true }),
    byRecipientZone: z
      .boolean()
      .optional()
      .describe(
        'Each gets it when their own clocks show what those of London show at `sendAt`: contacts with an extra field ' +
          '`timezone` or `Time zone` such as Europe/Paris by that zone, all others by London. It begins up to 14 hours ' +
          'before, and where the hour has passed, it leaves at once. Where a time comes twice, as clocks are put back, ' +
          'the first is meant, and one that is left out is an hour later. Absent: as it was.',
      ),
    updatedAt: seenAt,
    seenSendAt: z.iso
      .datetime()
      .optional()
      .describe(
        'To move what is scheduled: the `sendAt` that was seen. 409 `changed_meanwhile` when it is not scheduled for ' +
          'this time any more.',
      ),
  }),
  response: campaign,
  fails: ['conflict', 'changed_meanwhile'],
});

export const resendCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns/:id/resend',
  access: write,
  summary:
    'A draft with the same content for those who got a campaign and did not open it. Who that is counts when it is sent; ' +
    'what machines opened does not.',
  tag,
  params: idParams,
  body: z.strictObject({ subject: fields.subject.optional().describe('Absent: the same once more.') }),
  response: campaign,
  status: 201,
  fails: ['conflict'],
});

export const duplicateCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns/:id/duplicate',
  access: write,
  summary: 'A draft with the same content and audience.',
  tag,
  params: idParams,
  response: campaign,
  status: 201,
  fails: ['conflict'],
});

export const countAudience = endpoint({
  method: 'POST',
  path: '/api/campaigns/audience',
  access: read,
  summary: 'How many people an audience means, and how many of them may not be mailed, by reason.',
  tag,
  body: campaignAudience,
  response: z.object({
    recipients: z.number().int(),
    leftOut: z.partialRecord(z.enum(skipReasons), z.number().int()),
  }),
  writesLittle: true,
});

export const checkResults = ['block', 'advice', 'pass'] as const;

const oneCheck = z.object({
  key: z.string().describe('A word for programs.'),
  result: z
    .enum(checkResults)
    .describe(
      '`block`: it should not be sent like this, and the page of the check does not. `advice`: a careful sender ' +
        'would look at it again.',
    ),
  title: z.string(),
  words: z.string(),
  fix: z.string().nullable().describe('What to do about it.'),
});

const leftOutBecause = z
  .object({
    suppressed: z
      .object({
        reasons: z
          .partialRecord(z.enum(suppressionReasons), z.number().int())
          .describe('By the reason of their own entry on the suppression list.'),
        domains: z.number().int().describe('Without an entry of their own: their domain is on the list.'),
        isEstimate: z
          .boolean()
          .describe('From a sample, with two digits: the list and the audience are both long.'),
      })
      .nullable()
      .describe('Of those that are suppressed. Null: nobody is, or a sample finds too few to tell.'),
    mailable: z.array(z.enum(bases)).describe('The marketing bases that the workspace mails.'),
    frequencyCap,
  })
  .describe('What there is to say about why contacts are left out.');

const share = z.number().min(0).max(1);

const predictedBounces = z
  .object({
    recipients: z.number().int(),
    bounces: z.number().int(),
    share: share.describe('Of the recipients.'),
    limit: share.describe('From this share on, receivers think less of a sender.'),
    byVerdict: z
      .array(
        z.object({
          verdict: z.enum(bounceVerdicts).describe('Of the last verification. `unverified`: there was none.'),
          contacts: z.number().int(),
          bounces: z.number().int(),
        }),
      )
      .describe('What makes them up, the worst first. The bounces add up.'),
    after: z
      .object({ recipients: z.number().int(), share })
      .nullable()
      .describe('What remains once `leaveOut` is left out. Null without it.'),
  })
  .nullable()
  .describe('How many messages will come back, by verdicts and earlier campaigns. Null: nobody gets it.');

const when = z
  .object({
    speed: z
      .object({
        perMinute: z.number().nullable().describe('Null: no limit of an hour or a minute.'),
        perDay: z.number().int().nullable().describe('On its first day. Null: no limit of a day.'),
        minutes: z
          .number()
          .int()
          .describe('From its beginning to its last message, quiet hours among them. A year at most.'),
        isLeast: z.boolean().describe('Single receivers have limits of their own. It may take longer.'),
      })
      .nullable()
      .describe(
        'If nothing else is sent meanwhile, by the pace of the workspace, its mail servers and `spreadHours`. ' +
          'Null: nothing is limited, or it leaves by the clocks of its recipients.',
      ),
    quietHours,
    bestHour: z.iso
      .datetime()
      .nullable()
      .describe(
        'The next hour of the week in which people did most with the campaigns of the last 90 days, for each ' +
          'message that was sent. Null: fewer than 500 have opened them.',
      ),
  })
  .describe('When it leaves best, and how fast.');

const campaignCheck = z.object({
  canSend: z.boolean().describe('It is not sent yet, and nothing blocks it.'),
  recipients: z.number().int(),
  leftOut: z.partialRecord(z.enum(skipReasons), z.number().int()),
  leftOutBecause,
  predictedBounces,
  leaveOut: z
    .object({ verdicts: z.array(z.enum(leftOutVerdicts)), contacts: z.number().int() })
    .nullable()
    .describe('Too many messages would come back: as `leaveOutVerdicts` of the audience, this mends it.'),
  when,
  checks: z.array(oneCheck),
});
export type CampaignCheck = z.output<typeof campaignCheck>;

export const checkCampaign = endpoint({
  method: 'GET',
  path: '/api/campaigns/:id/check',
  access: read,
  summary: 'What stands in the way of sending a campaign, and what a careful sender would look at again.',
  tag,
  params: idParams,
  response: campaignCheck,
});

export const checkLinks = endpoint({
  method: 'POST',
  path: '/api/campaigns/:id/check-links',
  access: write,
  summary:
    'Try the links of a campaign, and whether readers can reach this installation. Then the reverse DNS of its mail servers, and what SpamAssassin says of it, where there is one.',
  tag,
  params: idParams,
  response: z.object({ checks: z.array(oneCheck) }),
  limits: 'Tries at most 40 pages, for 5 seconds each. Only hosts on the public internet are called.',
  writesLittle: true,
});

const actQuery = {
  did: z
    .enum(recipientActs)
    .optional()
    .describe('`got`: a mail server took it, and it did not come back. `left`: unsubscribed by it.'),
  link: z
    .string()
    .max(8_000)
    .optional()
    .describe('Who followed a link with this address, as the report has it.'),
  count: z
    .enum(['people', 'all'])
    .default('people')
    .describe('Whose opens and clicks count: those of people, or of machines too.'),
};

export const campaignRecipient = z.object({
  id: z.number().int(),
  contactId: z.number().int().nullable(),
  address: z.string(),
  state: z
    .enum(recipientStates)
    .describe('`deferred`: waits for another try. `left_out`: in the audience, but may not be mailed.'),
  reason: z.string().nullable().describe('Why it was skipped, left out or refused, as a word for programs.'),
  words: z.string().describe('The same for people.'),
  reply: z.string().nullable().describe("The mail server's last words."),
  attempts: z.number().int(),
  dueAt: z.iso
    .datetime()
    .nullable()
    .describe('When a deferred one is tried again. A pending one leaves at that hour, by the clocks there.'),
  handedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  openedAt: z.iso.datetime().nullable().describe('The first time. Without machines, as a rule: see `count`.'),
  clickedAt: z.iso.datetime().nullable(),
  leftAt: z.iso.datetime().nullable(),
  bouncedAt: z.iso.datetime().nullable(),
  complainedAt: z.iso.datetime().nullable(),
});
export type CampaignRecipient = z.output<typeof campaignRecipient>;

export const listRecipients = endpoint({
  method: 'GET',
  path: '/api/campaigns/:id/recipients',
  access: access.member('viewer', 'campaigns:read', 'contacts:read'),
  summary: 'Whom a campaign goes to, what became of it for each, and what they did. Walk them with `cursor`.',
  tag,
  params: idParams,
  query: z.object({
    state: z.enum(recipientStates).optional(),
    ...actQuery,
    search: z.string().trim().max(320).optional().describe('The beginning of an address, or @ and a domain.'),
    limit: z.coerce.number().int().min(1).max(1000).default(50),
    cursor: cursorField,
  }),
  limits: '`totalCount` counts up to 5,000 with `search`, with `link`, and with `state` and `did` together.',
  response: walkedItemsOf(campaignRecipient),
});

/** Where a campaign stands, as its stream tells it. */
export type CampaignProgress = Pick<
  Campaign,
  keyof typeof counts | 'status' | 'notice' | 'leftOut' | 'sentAt' | 'endedAt' | 'keptMailingId' | 'neverLeft'
>;

export const followCampaign = endpoint({
  method: 'GET',
  path: '/api/campaigns/:id/events',
  access: access.member('viewer', 'campaigns:read'),
  summary:
    'Server-sent events: `progress` with the figures whenever they change and every 10 seconds, and `done` once ' +
    'nothing more changes by itself.',
  tag,
  params: idParams,
  response: raw('text/event-stream'),
});

export const campaignReport = z.object({
  hours: z
    .array(
      z.object({
        hour: z.iso.datetime(),
        hours: z
          .union([z.literal(1), z.literal(24)])
          .describe('How many it stands for, from `hour` on: after the first 48 hours, days are told.'),
        sent: z.number().int().describe('In campaigns to more than 50,000 people to within a thousandth.'),
        opened: z.number().int().describe('People who opened it for the first time in these hours.'),
        clicked: z.number().int(),
        unsubscribed: z.number().int(),
        machines: z.object({ opened: z.number().int(), clicked: z.number().int() }),
      }),
    )
    .describe('Hours in which nothing happened are left out.'),
  earlier: z
    .object({
      campaigns: z.number().int().min(1).max(comparedCampaigns),
      hours: z
        .array(
          z.object({
            after: z.number().int().describe('Hours since the hour in which the first message left.'),
            hours: z.union([z.literal(1), z.literal(24)]),
            opened: z
              .number()
              .describe(
                'Mean share of those delivered, or of all who opened it where they are more, who first opened it in ' +
                  'these hours, from 0 to 1.',
              ),
            machines: z.object({ opened: z.number() }),
          }),
        )
        .describe('Hours in which nobody opened them are left out.'),
    })
    .nullable()
    .describe(
      `The last ${comparedCampaigns} campaigns that were completed before this one was sent, or as many as there are, ` +
        'each with the same weight. Null: none, or the opens of this one are not counted.',
    ),
  devices: z
    .array(z.object({ device: z.enum(devices), opened: z.number().int(), clicked: z.number().int() }))
    .describe('On what people opened and clicked for the first time. `webmail`: fetched by their provider.'),
  programs: z
    .array(z.object({ program: z.enum(mailPrograms), opened: z.number().int(), clicked: z.number().int() }))
    .describe('In what people read it when they first did, as far as it says so. `browser`: on a page.'),
  countries: z
    .array(
      z.object({
        country: z.string().length(2).describe('ISO 3166-1 alpha-2.'),
        opened: z.number().int(),
        clicked: z.number().int(),
      }),
    )
    .describe('Where people first opened and clicked. Providers that fetch for them do not tell it.'),
  links: z.array(
    z.object({
      number: z.number().int(),
      part: z.enum(['html', 'text']),
      url: z.string(),
      clicks: z.number().int().describe('Without those of machines. One person may click more than once.'),
      machineClicks: z.number().int(),
    }),
  ),
  reasons: z
    .array(
      z.object({
        state: z.enum(recipientStates),
        reason: z.string().nullable(),
        words: z.string(),
        people: z.number().int(),
      }),
    )
    .describe('Why people were not mailed, most frequent first.'),
});
export type CampaignReport = z.output<typeof campaignReport>;

export const getReport = endpoint({
  method: 'GET',
  path: '/api/campaigns/:id/report',
  access: access.member('viewer', 'campaigns:read'),
  summary: 'What readers did with a campaign, by hour, link and device, and why people were not mailed.',
  tag,
  params: idParams,
  response: campaignReport,
});

export const getTest = endpoint({
  method: 'GET',
  path: '/api/campaigns/:id/test',
  access: read,
  summary: 'How the A/B test of a campaign that was sent stands. Null: it has none.',
  tag,
  params: idParams,
  response: z.object({ test: testStanding.nullable() }),
});

export const chooseWinner = endpoint({
  method: 'POST',
  path: '/api/campaigns/:id/winner',
  access: send,
  summary: 'Decide an A/B test: the rest gets this variant, 1 for A. Nothing can be decided twice.',
  tag,
  params: idParams,
  body: z.strictObject({ variant: z.number().int().min(1).max(5) }),
  response: campaign,
  fails: ['conflict'],
});

export const getPicture = endpoint({
  method: 'GET',
  path: '/api/campaigns/:id/picture',
  access: access.member('viewer', 'campaigns:read'),
  summary:
    'The message of a campaign that was sent, with sample values. Its counted links lead to `#counted-link-` and ' +
    'their numbers in the report.',
  tag,
  params: idParams,
  query: z.object({
    variant: z.coerce
      .number()
      .int()
      .min(1)
      .max(mostVariants)
      .default(1)
      .describe('Which variant of an A/B test. 1 is variant A.'),
  }),
  response: z.object({ html: z.string().nullable().describe('Null before it is sent.') }),
});

export const sendAgain = endpoint({
  method: 'POST',
  path: '/api/campaigns/:id/recipients/:recipient/send-again',
  access: send,
  summary: 'Send an uncertain message again, by hand. Its reader may then have it twice.',
  tag,
  params: idParams.extend({ recipient: idParams.shape.id }),
  response: campaign,
  fails: ['conflict'],
});

export const sendUncertainAgain = step(
  'recipients/send-again',
  'Send all uncertain messages of a campaign again, by hand. Some of their readers may then have it twice.',
);

export const testCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns/:id/test',
  access: access.member('editor', 'campaigns:write'),
  summary:
    'Send a campaign as it is stored to members of the workspace, filled for a contact or with sample values. ' +
    'It comes from the sender of the campaign, signed and by the same servers as it will go out. ' +
    'The subject begins with [Test], nothing is counted, and the links for leaving change nothing. ' +
    'Where the installation has a mail server, it goes to confirmed addresses only. ' +
    'With an API key, a contact takes the scope `contacts:read` too.',
  tag,
  limits: `At most ${mostTestAddresses} addresses a call, and ${testsAnHour} calls an hour for a workspace.`,
  params: idParams,
  body: z.strictObject({
    to: sendTest.body.shape.to
      .optional()
      .describe('Addresses of members of the workspace. Absent: of whoever asks.'),
    contactId: sendTest.body.shape.contactId.describe(
      'Whose values fill it. Absent: samples. `email` is the address that the test goes to.',
    ),
    variant: z
      .number()
      .int()
      .min(1)
      .max(mostVariants)
      .optional()
      .describe('Which variant of an A/B test. Absent: 1, A.'),
  }),
  response: z.object({
    sent: z.number().int(),
    isKept: z.boolean().describe('There is no mail server: the mails stay in the outbox.'),
  }),
  fails: ['conflict', 'rate_limited'],
});

export const exportRecipients = endpoint({
  method: 'GET',
  path: '/api/campaigns/:id/recipients/export',
  access: access.member('viewer', 'campaigns:read', 'contacts:read'),
  summary: 'Whom a campaign went to, or those in one state or who did one thing, as CSV.',
  tag,
  params: idParams,
  query: z.object({ state: z.enum(recipientStates).optional(), ...actQuery }),
  response: raw('text/csv'),
});
