/** The folder that the page works in. `folder`: undefined for the server's own. `path`: undefined until it is known. */
interface Selected {
  readonly folder: string | undefined
  readonly path: string | undefined
}

/** The folder in the address, or that of the run that is shown, or the server's own. */
export function selectedFolder({
  inAddress,
  ofRun,
  isRunUnknown,
  own,
}: {
  readonly inAddress: string | undefined
  readonly ofRun: string | undefined
  /** A run is shown, and nothing is known about it yet. */
  readonly isRunUnknown: boolean
  readonly own: string | undefined
}): Selected {
  // What somebody decides must not be about another folder than the one of the run.
  if (inAddress === undefined && isRunUnknown) return { folder: undefined, path: undefined }
  const selected = inAddress ?? ofRun
  const folder = selected === own ? undefined : selected
  return { folder, path: folder ?? own }
}
