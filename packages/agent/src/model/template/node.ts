/** A node of the syntax tree produced by the parser of `@huggingface/jinja`. */
export type Node =
  | { readonly type: 'Program'; readonly body: readonly Node[] }
  | SetNode
  | ForNode
  | MacroNode
  | CallStatementNode
  | {
      readonly type: 'If'
      readonly test: Node
      readonly body: readonly Node[]
      readonly alternate: readonly Node[]
    }
  | { readonly type: 'FilterStatement'; readonly filter: Node; readonly body: readonly Node[] }
  | { readonly type: 'Break' | 'Continue' | 'Comment' }
  | { readonly type: 'IntegerLiteral' | 'FloatLiteral'; readonly value: number }
  | { readonly type: 'StringLiteral' | 'Identifier'; readonly value: string }
  | { readonly type: 'ArrayLiteral' | 'TupleLiteral'; readonly value: readonly Node[] }
  | { readonly type: 'ObjectLiteral'; readonly value: ReadonlyMap<Node, Node> }
  | CallNode
  | MemberNode
  | { readonly type: 'UnaryExpression'; readonly operator: Operator; readonly argument: Node }
  | BinaryNode
  | FilterNode
  | { readonly type: 'SelectExpression'; readonly lhs: Node; readonly test: Node }
  | {
      readonly type: 'Ternary'
      readonly condition: Node
      readonly trueExpr: Node
      readonly falseExpr: Node
    }
  | SliceNode
  | { readonly type: 'KeywordArgumentExpression'; readonly key: Name; readonly value: Node }
  | { readonly type: 'SpreadExpression' | 'KeywordSpreadExpression'; readonly argument: Node }

export interface Operator {
  readonly value: string
}

export interface Name {
  readonly value: string
}

export interface SetNode {
  readonly type: 'Set'
  readonly assignee: Node
  readonly value: Node | null
  readonly body: readonly Node[]
}

export interface ForNode {
  readonly type: 'For'
  readonly loopvar: Node
  readonly iterable: Node
  readonly body: readonly Node[]
  readonly defaultBlock: readonly Node[]
}

export interface MacroNode {
  readonly type: 'Macro'
  readonly name: Name
  readonly args: readonly Node[]
  readonly body: readonly Node[]
}

export interface CallStatementNode {
  readonly type: 'CallStatement'
  readonly call: CallNode
  readonly callerArgs: readonly Node[] | null
  readonly body: readonly Node[]
}

export interface CallNode {
  readonly type: 'CallExpression'
  readonly callee: Node
  readonly args: readonly Node[]
}

export interface MemberNode {
  readonly type: 'MemberExpression'
  readonly object: Node
  readonly property: Node
  readonly computed: boolean
}

export interface BinaryNode {
  readonly type: 'BinaryExpression'
  readonly operator: Operator
  readonly left: Node
  readonly right: Node
}

export interface FilterNode {
  readonly type: 'FilterExpression'
  readonly operand: Node
  readonly filter: Node
}

export interface SliceNode {
  readonly type: 'SliceExpression'
  readonly start?: Node
  readonly stop?: Node
  readonly step?: Node
}
