/** Email services that tell of bounces. Their place in the list is part of their addresses. */
export const providers = ['ses', 'postmark', 'sendgrid', 'mailgun', 'brevo'] as const;
export type Provider = (typeof providers)[number];

interface About {
  name: string;
  /** What to do at the service, for people. */
  steps: string;
  /** What proves its calls, for people. Null: it signs them with a certificate of its own. */
  secret: { label: string; isNeeded: boolean; hint: string } | null;
}

export const aboutProviders: Record<Provider, About> = {
  ses: {
    name: 'Amazon SES',
    steps:
      'Let SES publish bounces and complaints to a topic of Amazon SNS, and add this address to the topic as an HTTPS ' +
      'subscription, without raw message delivery. It is confirmed by itself.',
    secret: null,
  },
  postmark: {
    name: 'Postmark',
    steps:
      'Add a webhook with this address to your message stream, for bounces and spam complaints, and include the content of ' +
      'bounces.',
    secret: {
      label: 'Password',
      isNeeded: false,
      hint: 'Postmark signs nothing. Set the same password there, under basic auth.',
    },
  },
  sendgrid: {
    name: 'SendGrid',
    steps:
      'Under Mail settings, add an event webhook with this address, for bounced, dropped and spam reports, and switch on its ' +
      'signature verification.',
    secret: {
      label: 'Verification key',
      isNeeded: true,
      hint: 'SendGrid shows it once its signature verification is on.',
    },
  },
  mailgun: {
    name: 'Mailgun',
    steps: 'Under Webhooks, add this address for permanent failures and spam complaints.',
    secret: {
      label: 'Webhook signing key',
      isNeeded: true,
      hint: 'Mailgun shows it under API security.',
    },
  },
  brevo: {
    name: 'Brevo',
    steps:
      'Among the transactional settings, add a webhook with this address, for hard and soft bounces, blocked and invalid ' +
      'addresses, errors and complaints.',
    secret: {
      label: 'Token',
      isNeeded: false,
      hint: 'Brevo signs nothing. Set the same token there, under authentication.',
    },
  },
};
