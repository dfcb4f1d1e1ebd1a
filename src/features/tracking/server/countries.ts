import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type CountryResponse, Reader } from 'mmdb-lib';

/** From WHOIS and routing tables, CC0: https://github.com/sapics/ip-location-db. About 8 MB. */
const file = import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb');

/** Tells in which country a network is. The address is looked up in memory and kept nowhere. */
export class Countries {
  #reader: Promise<Reader<CountryResponse>> | null = null;

  /**
   * ISO 3166-1 alpha-2; null for private networks, those that nobody has announced, and what is no
   * address.
   */
  async of(ip: string): Promise<string | null> {
    // Read once it is needed: most processes count nothing.
    this.#reader ??= readFile(fileURLToPath(file)).then((bytes) => new Reader(bytes));
    const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
    if (isIP(plain) === 0) return null;
    const found = (await this.#reader).get(plain) as { country_code?: string } | null;
    return found?.country_code ?? null;
  }
}
