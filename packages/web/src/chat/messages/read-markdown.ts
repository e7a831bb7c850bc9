import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import { gfmTable } from 'micromark-extension-gfm-table'
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item'

/** A text that was read as Markdown. */
type Root = ReturnType<typeof fromMarkdown>
/** Anything in a text that was read as Markdown. */
export type MarkdownNode = Root['children'][number]

const OPTIONS = {
  extensions: [gfmAutolinkLiteral(), gfmStrikethrough(), gfmTable(), gfmTaskListItem()],
  mdastExtensions: [
    gfmAutolinkLiteralFromMarkdown(),
    gfmStrikethroughFromMarkdown(),
    gfmTableFromMarkdown(),
    gfmTaskListItemFromMarkdown(),
  ],
}
/** Blocks that scroll out of sight and back are not read again. */
const MAX_KNOWN = 200

const known = new Map<string, readonly MarkdownNode[]>()

/** Reads Markdown, with tables, tasks, lines through words, and addresses as links. */
export function readMarkdown(text: string): readonly MarkdownNode[] {
  let nodes = known.get(text)
  if (!nodes) {
    nodes = fromMarkdown(text, OPTIONS).children
    if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!)
    known.set(text, nodes)
  }
  return nodes
}
