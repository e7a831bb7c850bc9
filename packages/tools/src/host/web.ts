/** Access to the web. Failures are `ToolError`s that contain the URL. */
export interface Web {
  /**
   * Sends a single request without following redirects. The host is resolved, `permit` checks all
   * of its addresses, and the connection uses one of them. No proxy is used, and only the given
   * data is sent.
   */
  request(url: URL, options: WebRequest): Promise<WebResponse>
  /** Converts a page to Markdown without fetching anything. */
  markdown(
    html: string,
    options: { readonly url: string; readonly signal: AbortSignal },
  ): Promise<string>
}

/** A request to a web server. */
export interface WebRequest {
  /** Called before any data is sent. Throws to prevent the connection. */
  readonly permit: (found: HostAddresses) => void
  readonly signal: AbortSignal
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Maximum size of the body in bytes, compressed and decompressed. */
  readonly maxBytes: number
  /** Returns true to read the body. Default: reads it if the request succeeded. */
  readonly wantsBody?: (head: WebHead) => boolean
}

/** The addresses that a host resolves to. */
export interface HostAddresses {
  readonly addresses: readonly string[]
  /** The addresses of this machine, to detect them in `addresses`. */
  readonly own: readonly string[]
}

/** The status and headers of a response. */
export interface WebHead {
  readonly status: number
  /** The headers, by lowercase name. */
  readonly headers: Readonly<Record<string, string>>
}

/** A response with its body. */
export interface WebResponse extends WebHead {
  /** Decompressed; empty if not requested. */
  readonly body: Uint8Array
}
