/** What is suspicious about code that a model wrote. A list of findings is a warning: what holds is the sandbox in which the code runs. */

/** Something in code that people should look at. */
export interface CodeFinding {
  /** What it may do, in one phrase. */
  readonly what: string
  /** The line, from 1. */
  readonly line: number
  /** The text that was found. */
  readonly text: string
}

const findings: readonly (readonly [RegExp, string])[] = [
  [/\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(|\b(?:exec|compile)\s*\(/g, 'runs text as code'],
  [/\b(?:require|import)\s*\(\s*[^'"`\s)]/g, 'loads a module whose name is computed'],
  [
    /\bimport\s+os\b|\bfrom\s+os\b|\b(?:import|from)\s+(?:subprocess|shutil|ctypes|pty)\b|['"](?:node:)?child_process['"]|\bos\.(?:system|popen|exec\w*|spawn\w*)\b|\bsubprocess\./g,
    'starts programs',
  ],
  [/['"](?:node:)?(?:fs|fs\/promises)['"]|\bopen\s*\(|\bDeno\.(?:read|write|remove)\w*|\bBun\.(?:file|write)\b/g, 'reads or writes files'],
  [
    /\bfetch\s*\(|\bXMLHttpRequest\b|\bWebSocket\b|['"](?:node:)?(?:https?|net|dgram|tls|dns)['"]|\b(?:import|from)\s+(?:socket|urllib|requests|httpx|http)\b/g,
    'uses the network',
  ],
  [
    /\bprocess\s*\.\s*(?:env|exit|kill|binding)\b|\bprocess\s*\[|\bos\.environ\b|\bsys\s*\.\s*(?:exit|modules)\b|\bimport\s+sys\b/g,
    'looks at its process or its environment',
  ],
  [
    /__proto__|\bconstructor\s*(?:\.\s*constructor|\[)|\[\s*['"](?:constructor|prototype)['"]\s*\]|\bsetPrototypeOf\b|__(?:import|class|subclasses|globals|builtins|mro|bases)__/g,
    'reaches for what is behind objects',
  ],
  [/\bglobalThis\b|\bwindow\s*\[|\bself\s*\[|\bReflect\.|\bProxy\s*\(/g, 'changes what is global'],
  [/\bwhile\s*\(\s*(?:true|1)\s*\)|\bfor\s*\(\s*;\s*;\s*\)|\bwhile\s+(?:True|1)\s*:/g, 'may never end'],
  [
    /(?:\\x[0-9a-f]{2}){6,}|(?:\\u[0-9a-f]{4}){6,}|\batob\s*\(|\bb64decode\b|Buffer\.from\s*\([^)]*base64|String\.fromCharCode/gi,
    'hides what it says',
  ],
]

/** Characters that are looked at, and findings that are returned. */
const most = { characters: 200_000, findings: 50 }

/**
 * What is suspicious about code that a model wrote, in JavaScript or Python. It warns and decides nothing: code that finds another way is not found, so run it
 * in a sandbox.
 *
 * @example
 * checkCode("await fetch('https://example.com')")   // [{ what: 'uses the network', line: 1, text: 'fetch(' }]
 */
export function checkCode(source: string): readonly CodeFinding[] {
  const code = source.slice(0, most.characters).normalize('NFKC')
  const found = findings.flatMap(([pattern, what]) => [...code.matchAll(pattern)].map(({ index, 0: text }) => ({ what, index, text })))
  const first = found.sort((a, b) => a.index - b.index).slice(0, most.findings)
  let [line, at] = [1, 0]
  return first.map(({ what, index, text }) => {
    for (; at < index; at += 1) if (code[at] === '\n') line += 1
    return { what, line, text }
  })
}
