import type { EndpointDefinition, ResponseOf } from '#platform/shared/contract.ts';
import { ApiError, addressOf, request, shownHeaders } from './api.ts';

export interface UploadProgress {
  /** Bytes sent so far, and bytes in all. */
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
 * Sends a form with files and reports the bytes as they leave, which `fetch` cannot do. Rejects
 * with `ApiError`, or with an `AbortError` when `signal` stops it.
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
    for (const [name, value] of Object.entries({ ...shownHeaders(), ...headers }))
      transfer.setRequestHeader(name, value);
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

/**
 * The file name in a `Content-Disposition` header (RFC 6266), preferring the UTF-8 form. Undefined
 * when there is none.
 */
export function fileNameIn(disposition: string | null): string | undefined {
  const extended = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Not percent-encoded after all, so use the plain form below.
    }
  }
  return disposition?.match(/filename="?([^";]+)"?/i)?.[1];
}

export interface DownloadOptions {
  /** Method and body, if it needs more than an address. */
  init?: RequestInit;
  signal?: AbortSignal;
  /** The server has begun to answer. */
  onStart?: (response: Response) => void;
  /** Bytes that have arrived. The total is seldom known. */
  onProgress?: (bytes: number) => void;
}

/**
 * Saves what an address returns as a file, under the server's name for it or else `fallbackName`.
 * Throws `ApiError` when the server refuses or the answer breaks off, so that no error page and no
 * half file is saved.
 */
export async function downloadFrom(
  url: string,
  fallbackName: string,
  { init, signal, onStart, onProgress }: DownloadOptions = {},
): Promise<void> {
  const response = await request(url, { ...init, ...(signal ? { signal } : {}) });
  onStart?.(response);
  const pieces: BlobPart[] = [];
  let bytes = 0;
  try {
    const reader = response.body?.getReader();
    for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
      pieces.push(next.value);
      bytes += next.value.length;
      onProgress?.(bytes);
    }
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError(0, 'The download broke off', '');
  }
  const file = URL.createObjectURL(new Blob(pieces, { type: response.headers.get('content-type') ?? '' }));
  follow(file, fileNameIn(response.headers.get('content-disposition')) ?? fallbackName);
  // The browser reads the file after the click returns. A minute is far more than it needs to
  // begin.
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}

/**
 * Hands a file too large for the page's memory to the browser, which saves it as it arrives and
 * shows the progress. First ask the server whether it will send it, because nobody reads its
 * refusal here.
 */
export function downloadLarge(url: string, fallbackName: string): void {
  follow(url, fallbackName);
}

/** The server's own name wins for its files. `name` is only for a file made here. */
function follow(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}
