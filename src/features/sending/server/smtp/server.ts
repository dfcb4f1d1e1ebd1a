/** A mail server that takes messages. */
export interface SmtpServer {
  host: string;
  port: number;
  /**
   * `implicit`: from the first byte. `required`: STARTTLS or nothing. `offered`: STARTTLS where the
   * server has it.
   */
  tls: 'implicit' | 'required' | 'offered' | 'never';
  user: string | null;
  password: string | null;
  /** False: a certificate of whoever answers is taken. For a server on one's own network. */
  checksCertificate: boolean;
}

/** The server of an SMTP_URL, read as nodemailer reads it for the product's own mail. */
export function serverOfUrl(smtpUrl: string): SmtpServer {
  const url = new URL(smtpUrl);
  const isImplicit = url.protocol === 'smtps:';
  const flag = (name: string) => /^(true|1|yes)$/i.test(url.searchParams.get(name) ?? '');
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : isImplicit ? 465 : 587,
    tls:
      isImplicit || flag('secure')
        ? 'implicit'
        : flag('ignoreTLS')
          ? 'never'
          : flag('requireTLS')
            ? 'required'
            : 'offered',
    user: url.username ? decodeURIComponent(url.username) : null,
    password: url.username ? decodeURIComponent(url.password) : null,
    checksCertificate: url.searchParams.get('tls.rejectUnauthorized') !== 'false',
  };
}
