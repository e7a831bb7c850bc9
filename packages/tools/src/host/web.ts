/** The web, as tools reach it. What fails is a `ToolError` that names the address. */
export interface Web {
  /**
   * Asks one server, once: redirects are not followed. The host is looked up, `permit` is shown every address it has, and
   * only one of these is connected to. No proxy stands between, and nothing is sent that was not given.
   */
  request(url: URL, options: WebRequest): Promise<WebResponse>
  /** What a page says, as Markdown. Nothing is fetched for it. */
  markdown(
    html: string,
    options: { readonly url: string; readonly signal: AbortSignal },
  ): Promise<string>
}

export interface WebRequest {
  /** Called before anything is sent; it throws where no connection must be made. */
  readonly permit: (found: HostAddresses) => void
  readonly signal: AbortSignal
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The largest body, in bytes: as it comes, and as it is when unpacked. */
  readonly maxBytes: number
  /** Whether the body is wanted; if not told, that of a success is. */
  readonly wantsBody?: (head: WebHead) => boolean
}

/** What a host was looked up as. */
export interface HostAddresses {
  readonly addresses: readonly string[]
  /** The addresses of this machine. */
  readonly own: readonly string[]
}

export interface WebHead {
  readonly status: number
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

export interface WebResponse extends WebHead {
  /** Unpacked; empty if it was not wanted. */
  readonly body: Uint8Array
}
