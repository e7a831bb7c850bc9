import { memo, type ReactNode } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { CodeBlock } from './code-block.tsx'
import { ModelImage, ModelLink } from './link.tsx'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import { gfmTable } from 'micromark-extension-gfm-table'
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item'

/** A parsed Markdown text. */
type Root = ReturnType<typeof fromMarkdown>

/** A node of a parsed Markdown text. */
type MarkdownNode = Root['children'][number]

const OPTIONS = {
  extensions: [gfmAutolinkLiteral(), gfmStrikethrough(), gfmTable(), gfmTaskListItem()],
  mdastExtensions: [
    gfmAutolinkLiteralFromMarkdown(),
    gfmStrikethroughFromMarkdown(),
    gfmTableFromMarkdown(),
    gfmTaskListItemFromMarkdown(),
  ],
}

/** Caches blocks, so that those that scroll out of view and back are not parsed again. */
const MAX_KNOWN = 200

const known = new Map<string, readonly MarkdownNode[]>()

/** The context of a node. */
interface Place {
  /** The targets of links defined elsewhere in the text. */
  readonly links: ReadonlyMap<string, string>
  readonly isLink?: boolean
  /** True in a list without blank lines, whose paragraphs are drawn without paragraph elements. */
  readonly isTight?: boolean
}

/** Draws Markdown. Parsed again only if the text has changed. */
export default memo(function Markdown({ text }: { readonly text: string }): ReactNode {
  const nodes = readMarkdown(text)
  const links = new Map<string, string>()
  collectLinks(nodes, links)
  return <Nodes nodes={nodes} place={{ links }} />
})

function Nodes({
  nodes,
  place,
}: {
  readonly nodes: readonly MarkdownNode[]
  readonly place: Place
}): ReactNode {
  return nodes.map((node, at) => <Node key={at} node={node} place={place} />)
}

// HTML in a text is shown as text. Images become links, because displaying one would send a
// request.
function Node({ node, place }: { readonly node: MarkdownNode; readonly place: Place }): ReactNode {
  switch (node.type) {
    case 'text':
      return place.isLink ? <VisibleText text={node.value} /> : node.value
    case 'html':
      return node.value
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'code':
      return <CodeBlock text={node.value} language={node.lang ?? ''} />
    case 'image':
    case 'imageReference': {
      const alt = node.alt ?? ''
      // Links cannot be nested.
      if (place.isLink) return <VisibleText text={alt} />
      const url = node.type === 'image' ? node.url : place.links.get(node.identifier)
      return <ModelImage src={url} alt={alt} />
    }
    case 'link':
    case 'linkReference': {
      // A footnote is text, not an address.
      if (node.type === 'linkReference' && isNote(node)) return `[${node.label ?? node.identifier}]`
      const url = node.type === 'link' ? node.url : place.links.get(node.identifier)
      return (
        <ModelLink href={url} text={textOf(node.children)}>
          <Nodes nodes={node.children} place={{ ...place, isLink: true }} />
        </ModelLink>
      )
    }
    case 'table':
      return <Table node={node} place={place} />
    case 'list':
      return <List node={node} place={place} />
    case 'definition':
      if (!isNote(node)) return null
      return (
        <p>{`[${node.label ?? node.identifier}]: ${node.url} ${node.title ?? ''}`.trimEnd()}</p>
      )
    case 'footnoteDefinition':
    case 'footnoteReference':
    case 'listItem':
    case 'tableCell':
    case 'tableRow':
    case 'yaml':
      return null
    case 'paragraph':
    case 'heading':
    case 'blockquote':
    case 'emphasis':
    case 'strong':
    case 'delete': {
      const inner = node.type === 'blockquote' ? { ...place, isTight: false } : place
      const children = <Nodes nodes={node.children} place={inner} />
      if (node.type === 'paragraph') return place.isTight ? children : <p>{children}</p>
      const Tag = node.type === 'heading' ? HEADINGS[node.depth] : TAGS[node.type]
      return <Tag>{children}</Tag>
    }
  }
}

const TAGS = { blockquote: 'blockquote', emphasis: 'em', strong: 'strong', delete: 'del' } as const
/** The page has its own heading above all of them. */
const HEADINGS = { 1: 'h2', 2: 'h3', 3: 'h4', 4: 'h5', 5: 'h6', 6: 'h6' } as const

type Of<Type extends MarkdownNode['type']> = Extract<MarkdownNode, { readonly type: Type }>

function List({
  node: { children, ordered, start, spread },
  place,
}: {
  readonly node: Of<'list'>
  readonly place: Place
}): ReactNode {
  const isTight = !spread && children.every((item) => !item.spread)
  const items = children.map((item, at) => (
    <li key={at}>
      {typeof item.checked === 'boolean' && <TaskBox isDone={item.checked} />}
      {typeof item.checked === 'boolean' && ' '}
      <Nodes nodes={item.children} place={{ ...place, isTight }} />
    </li>
  ))
  return ordered ? <ol start={start ?? 1}>{items}</ol> : <ul>{items}</ul>
}

function Table({
  node: { children, align },
  place,
}: {
  readonly node: Of<'table'>
  readonly place: Place
}): ReactNode {
  const row = ({ children: cells }: Of<'tableRow'>, Tag: 'th' | 'td', key: number): ReactNode => (
    <tr key={key}>
      {cells.map((cell, at) => (
        <Tag key={at} style={{ textAlign: align?.[at] ?? undefined }}>
          <Nodes nodes={cell.children} place={place} />
        </Tag>
      ))}
    </tr>
  )
  const [head, ...body] = children
  return (
    <div className="overflow-x-auto rounded-md border border-line">
      <table>
        {head && <thead>{row(head, 'th', 0)}</thead>}
        {body.length > 0 && <tbody>{body.map((each, at) => row(each, 'td', at))}</tbody>}
      </table>
    </div>
  )
}

function TaskBox({ isDone }: { readonly isDone: boolean }): ReactNode {
  const { t } = useWords()
  return (
    <span className="task" role="img" aria-label={t(isDone ? 'chat.task.done' : 'chat.task.open')}>
      {isDone ? '☑' : '☐'}
    </span>
  )
}

/** The targets of all links defined in a text. Of several with one name, the first counts. */
function collectLinks(nodes: readonly MarkdownNode[], links: Map<string, string>): void {
  for (const node of nodes) {
    if (node.type === 'definition' && !isNote(node) && !links.has(node.identifier))
      links.set(node.identifier, node.url)
    else if ('children' in node) collectLinks(node.children, links)
  }
}

function isNote({ identifier }: { readonly identifier: string }): boolean {
  return identifier.startsWith('^')
}

function textOf(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => ('value' in node ? node.value : 'children' in node ? textOf(node.children) : ''))
    .join('')
}

/** Parses Markdown with tables, task lists, strikethrough, and addresses as links. */
export function readMarkdown(text: string): readonly MarkdownNode[] {
  let nodes = known.get(text)
  if (!nodes) {
    nodes = fromMarkdown(text, OPTIONS).children
    if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!)
    known.set(text, nodes)
  }
  return nodes
}
