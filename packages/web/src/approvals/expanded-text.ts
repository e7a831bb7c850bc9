import { UNSEEN, UNSEEN_IN_LINE } from '../ui/unseen.ts'

/**
 * What nobody would see in the text that runs. Line breaks and tabs belong to a command that has them itself. If there are more,
 * names of files have brought them, and what comes after one could be taken for another command.
 */
export function unseenInExpanded(expanded: string, command = ''): RegExp {
  return breaksIn(expanded) > breaksIn(command) ? UNSEEN_IN_LINE : UNSEEN
}

function breaksIn(text: string): number {
  return text.match(/[\n\t]/g)?.length ?? 0
}
