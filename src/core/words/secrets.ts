/** A key, a token, a private key or a password in a text: `text.slice(start, end)`. */
export interface FoundSecret {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** Replaces a secret. */
export const secretMark = '[secret]'

/** Keys and tokens that are recognised by their form alone. */
const forms: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'private key',
    /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,20000}?(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['private key', /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/g],
  ['AWS key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['GitHub token', /\b(?:gh[oprsu]_\w{30,}|github_pat_\w{40,})/g],
  ['GitLab token', /\bgl(?:pat|ptt|dt|rt|cbt|soat)-[\w-]{18,}/g],
  ['Slack token', /\b(?:xox[abeoprs]|xapp)-[\w-]{10,}|\bhooks\.slack\.com\/services\/[\w/]{20,}/g],
  ['API key', /\bsk-(?:[a-z]+\d*-)*[A-Za-z0-9_-]{16,}/g],
  ['Stripe key', /\b(?:[rs]k_(?:live|test)|whsec)_\w{12,}/g],
  ['Google key', /\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}/g],
  ['package registry token', /\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{40,}/g],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{25,}/g],
  ['DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{40,}/g],
  ['SendGrid key', /\bSG\.[\w-]{16,}\.[\w-]{16,}/g],
  ['Telegram token', /\b\d{8,10}:AA[\w-]{30,}/g],
  ['JSON web token', /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g],
  ['Palimpsest token', /\bpal_[0-9a-f]{10}_[\w-]{20,}/g],
  ['Azure key', /\bAccountKey=[A-Za-z0-9+/]{40,}={0,2}/g],
]

/** Where the secret is only a part of what is recognised; the group `secret` gives it. */
const placed: readonly (readonly [kind: string, pattern: RegExp])[] = [
  // `postgres://me:secret@host`
  [
    'password',
    /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:/@"'`]{0,60}:(?<secret>[^\s/@"'`]{1,200})@(?=[\w[.-])/gi,
  ],
  ['credentials', /\b(?:Bearer|Basic)\s+(?<secret>(?=[^\s"']*\d)[A-Za-z0-9+/_.~-]{16,}={0,2})/gi],
  // `API_KEY=…`, `"client_secret": "…"`
  [
    'key',
    /(?:api|palimpsest|access|secret|private|signing|encryption|client|auth|refresh|deploy|session|master|service|webhook)[ _-]?(?:key|token|secret)\w{0,20}["']?(?:\s*[:=]\s*|\s+(?:is|was|to)\s+(?:now\s+)?)["'`]?(?<secret>(?=[^\s"'`]*\d)(?=[^\s"'`]*[A-Za-z])[A-Za-z0-9+/_=.~!@#$%^&*-]{10,})/gi,
  ],
  [
    'token',
    /\b(?:token|secret|credentials?)["']?(?:\s*[:=]\s*|\s+is\s+)["'`]?(?<secret>(?=[^\s"'`]*\d)(?=[^\s"'`]*[A-Za-z])[A-Za-z0-9+/_=.~-]{16,})/gi,
  ],
  // `DB_PASSWORD=…`, `password: …`
  [
    'password',
    /(?:\b|_)(?:passw(?:or)?d|passphrase|passcode|pwd|pw|passwort|contraseña|mot de passe)["']?\s*[:=]\s*["'`]?(?<secret>[^\s"'`,;]{3,200})/gi,
  ],
  [
    'password',
    /(?:\b|_)(?:passw(?:or)?d|passphrase|passcode|pwd)["']?(?:\s*[:=]\s*|\s+is\s+)(?:"(?=[^"\n]{3,200}")|'(?=[^'\n]{3,200}')|`(?=[^`\n]{3,200}`))(?<secret>[^"'`\n]{3,200})/gi,
  ],
  // `the password is …`
  [
    'password',
    /\b(?:passw(?:or)?d|passphrase|passcode|pin(?: code)?|pwd|passwort)\s+(?:(?:for|of|to)\s+[^.:;\n]{1,40}?\s+)?(?:is|was|to|ist|it's)\s+(?:now\s+|called\s+|jetzt\s+)?["'`]?(?<secret>[^\s"'`]{3,200}?)(?=["'`]?(?:[.,;!?)]*(?:\s|$)))/gi,
  ],
]

/** Words in the place of a password that are none: a placeholder, a state, or where the password is kept. */
const noPassword =
  /^(?:\$|<|\{|%|\*{2,}|\.{2,}|x{3,}$|\[|\(|.*[(){}]|(?:process|os|env|config|secrets?|vault|settings|self|this|req|props|args|input|form|data|user)[.[]|(?:a|an|the|my|our|your|his|her|their|it|that|this|these|at|in|on|of|to|by|from|with|for|as|via|only|not|no|never|always|still|also|being|now|then|and|or|set|kept|reset|sent|too|so|very|what|where|wrong|right|correct|incorrect|invalid|valid|empty|blank|missing|optional|weak|strong|short|long|safe|secure|unsafe|null|none|nil|undefined|true|false|string|str|text|varchar|bool|boolean|required|changeme|example|placeholder|redacted|secret|password|ok|fine|there|here|something|anything|nothing|unknown|different|hidden|visible|easy|hard|good|bad|public|private|known|you|we|i)$)|\p{L}+(?:ed|ing|able|ible)$/iu

/** Whether the text in the place of a secret is one. */
function isSecret(kind: string, text: string, match: string): boolean {
  if (kind !== 'password' || match.includes('://'))
    return !/^(?:\$|<|\{\{|process\.env|password$)/.test(text)
  if (noPassword.test(text)) return false
  // `pin is 3.2`, `PIN code is 8 characters`: a PIN has four digits or more.
  if (/\bpin(?: code)?\s+(?:is|was|to)/i.test(match)) return /^\d{4,12}$/.test(text)
  return !/^\d{1,3}$/.test(text)
}

/** A quick check, because most texts have none. */
const anySign =
  /PRIVATE KEY|SECRET|AKIA|ASIA|gh[oprsu]_|github_pat_|gl[a-z]{2,4}-|xox|xapp-|hooks\.slack|sk-|[rs]k_|whsec_|AIza|ya29|GOCSPX|npm_|pypi-|hf_|do[opr]_v1|SG\.|:AA|eyJ|AccountKey|pal_|:\/\/[^\s/]*@|Bearer|Basic|key|token|secret|credential|passw|passphrase|passcode|pwd|\bpw\b|\bpin\b|contraseña|mot de passe/i

/** Keys, tokens, private keys and passwords in a text, in order, without overlaps. */
export function findSecrets(text: string): readonly FoundSecret[] {
  if (!anySign.test(text)) return []
  const found: FoundSecret[] = []
  for (const [kind, pattern] of forms)
    for (const match of text.matchAll(pattern))
      found.push({ kind, start: match.index, end: match.index + match[0].length })
  for (const [kind, pattern] of placed)
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups!.secret!
      if (!isSecret(kind, secret, match[0])) continue
      const start = match.index + match[0].lastIndexOf(secret)
      found.push({ kind, start, end: start + secret.length })
    }
  let last = 0
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      const isFree = start >= last
      if (isFree) last = end
      return isFree
    })
}

/** A value that becomes JSON, with `withoutSecrets` of every text in it, names of fields included. */
export function withoutSecretsIn(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecrets(value)
  if (Array.isArray(value)) return value.map(withoutSecretsIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      withoutSecrets(name),
      // `"token": "…"` is recognised only with its name.
      typeof each === 'string' ? withoutSecretOf(name, each) : withoutSecretsIn(each),
    ]),
  )
}

function withoutSecretOf(name: string, value: string): string {
  const prefix = `${name}: `
  const found = findSecrets(`${prefix}${value}`).some(({ start }) => start === prefix.length)
  return found ? secretMark : withoutSecrets(value)
}

/** The text with a mark in the place of each secret; the same string when it has none. */
export function withoutSecrets(text: string): string {
  let kept = ''
  let last = 0
  for (const { start, end } of findSecrets(text)) {
    kept += text.slice(last, start) + secretMark
    last = end
  }
  return last === 0 ? text : kept + text.slice(last)
}
