import { homePath, pathIn } from '../folders/short-path.ts'
import { useHome } from '../folders/use-home.ts'

/** Writes paths as a person would: from the folder that they are in, or from the home folder. */
export function usePathText(folder = ''): (path: string) => string {
  const home = useHome()
  return (path) => homePath(pathIn(folder, path), home)
}
