/** A client of the gateway that can be connected: where its settings are, and what they must say. */
export interface Client {
  /** What people write, such as `claude-code`. */
  readonly id: string
  readonly name: string
  /** Its settings. Undefined if they are not in a file: then people set them by hand. */
  readonly file?: (folders: ClientFolders) => string
  readonly settings: (gateway: GatewayAddress) => ClientSettings
  /** How it is started once it is connected, or what else has to be done. */
  readonly next: string
}

/** What clients store their settings under. */
export interface ClientFolders {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where the gateway is, and what it asks for. */
export interface GatewayAddress {
  /** Without a path, such as `http://127.0.0.1:4747`. */
  readonly url: string
  readonly token: string
  /** The name of a model that the gateway knows. */
  readonly model: string
}

/** Values in a JSON file that may have others, each with its path; or all of a file, which only this command writes. */
export type ClientSettings = { readonly values: readonly SettingAt[] } | { readonly text: string }

/** A value, and where it is. */
export type SettingAt = readonly [path: readonly string[], value: unknown]
