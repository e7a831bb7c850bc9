/** The package with llama.cpp for a system and its processor; undefined if there is none. */
export function platformPackage(
  platform: string = process.platform,
  processor: string = process.arch,
): string | undefined {
  const name = PACKAGES[`${platform}-${processor}`]
  return name && `@node-llama-cpp/${name}`
}

const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'linux-arm': 'linux-armv7l',
  'linux-arm64': 'linux-arm64',
  'linux-riscv64': 'linux-riscv64',
  'linux-x64': 'linux-x64',
  'win32-arm64': 'win-arm64',
  'win32-x64': 'win-x64',
}
