import type { EndpointDefinition, ResponseOf } from '#platform/shared/contract.ts';
import { ApiError, addressOf, request } from './api.ts';

export interface UploadProgress {
  /** Bytes sent, and bytes there are. */
  sent: number;
  total: number;
}

export interface UploadInput {
  form: FormData;
  params?: unknown;
  query?: unknown;
  headers?: Record<string, string>;
  onProgress?: (progress: UploadProgress) => void;
  signal?: AbortSignal;
}

/**
 * Sends a form with files and reports the bytes as they leave, which `fetch` cannot. Rejects with `ApiError`,
 * or with an `AbortError` when `signal` stops it.
 */
export function upload<const D extends EndpointDefinition>(
  endpoint: D,
  input: UploadInput,
): Promise<ResponseOf<D>> {
  return new Promise((resolve, reject) => {
    const { form, onProgress, signal, headers = {} } = input;
    const transfer = new XMLHttpRequest();
    transfer.open(endpoint.method, addressOf(endpoint, input));
    transfer.withCredentials = true;
    for (const [name, value] of Object.entries(headers)) transfer.setRequestHeader(name, value);
    transfer.upload.onprogress = (event) => onProgress?.({ sent: event.loaded, total: event.total });
    transfer.onload = () => {
      const { status, statusText, responseText } = transfer;
      if (status < 200 || status > 299) return reject(new ApiError(status, statusText, responseText));
      resolve((responseText === '' ? undefined : JSON.parse(responseText)) as ResponseOf<D>);
    };
    transfer.onerror = () => reject(new ApiError(0, 'No answer from the server', ''));
    transfer.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    signal?.addEventListener('abort', () => transfer.abort(), { once: true });
    transfer.send(form);
  });
}

/** The file name in a `Content-Disposition` header (RFC 6266), the UTF-8 form first; undefined when none. */
export function fileNameIn(disposition: string | null): string | undefined {
  const extended = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Not percent-encoded after all: the plain form below.
    }
  }
  return disposition?.match(/filename="?([^";]+)"?/i)?.[1];
}

/**
 * Saves what an address answers as a file, under the server's name for it or else `fallbackName`. Throws
 * `ApiError` when the server refuses, so that an error page is never saved in the file's place.
 */
export async function downloadFrom(url: string, fallbackName: string, signal?: AbortSignal): Promise<void> {
  const response = await request(url, signal ? { signal } : {});
  const file = URL.createObjectURL(await response.blob());
  follow(file, fileNameIn(response.headers.get('content-disposition')) ?? fallbackName);
  // The browser reads the file after the click returns; a minute is far more than it takes to begin.
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}

/**
 * Hands a file too large for the page's memory to the browser, which saves it as it comes and shows how far it is.
 * Asks first whether the server gives it out at all, and throws `ApiError` when it does not.
 */
export async function downloadLarge(url: string, fallbackName: string): Promise<void> {
  const asking = new AbortController();
  await request(url, { signal: asking.signal });
  asking.abort();
  follow(url, fallbackName);
}

/** For a file of the server's its own name for it counts; `name` is only for one made here. */
function follow(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}
