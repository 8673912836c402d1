import { describe, expect, it } from 'vitest'
import { findSecrets, withoutSecrets } from './secrets.ts'

/** Joined here, so that no scanner takes this file for a leak. */
const joined = (...parts: readonly string[]): string => parts.join('')
const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4hJ6kL8n'

const secrets: readonly string[] = [
  joined('AK', 'IA', 'QWERTYUIOP123456'),
  joined('gh', 'p_', letters.slice(0, 36)),
  joined('github', '_pat_', letters, letters),
  joined('gl', 'pat-', letters.slice(0, 20)),
  joined('xo', 'xb-', '1234567890-', letters.slice(0, 12)),
  joined('sk', '-ant-api03-', letters),
  joined('sk', '-proj-', letters),
  joined('sk', '_live_', letters.slice(0, 24)),
  joined('AI', 'za', letters.slice(0, 35)),
  joined('np', 'm_', letters.slice(0, 36)),
  joined('hf', '_', letters.slice(0, 34)),
  joined('ey', 'JhbGciOiJIUzI1NiJ9.', 'ey', 'JzdWIiOiIxMjM0NTY3ODkwIn0.', letters.slice(0, 30)),
  joined(
    '-----BEGIN RSA PRIV',
    'ATE KEY-----\nMIIE',
    letters,
    '\n-----END RSA PRIV',
    'ATE KEY-----',
  ),
]

describe('what gives itself away by its form', () => {
  it.each(secrets)('%s is replaced, and nothing else', (secret) => {
    expect(withoutSecrets(`use ${secret} for the upload`)).toBe('use [secret] for the upload')
  })

  it('a private key without its end is replaced up to the end', () => {
    const cut = secrets.at(-1)!.slice(0, 60)
    expect(withoutSecrets(`my key:\n${cut}`)).toBe('my key:\n[secret]')
  })
})

describe('what its surroundings give away', () => {
  it.each([
    ['postgres://me:tr0ub4dor@db.test/shop', 'tr0ub4dor'],
    ['API_KEY=9f8e7d6c5b4a3210', '9f8e7d6c5b4a3210'],
    ['"client_secret": "Zk39-qqpl-22xx"', 'Zk39-qqpl-22xx'],
    ['Authorization: Bearer 0a1b2c3d4e5f6071829304', '0a1b2c3d4e5f6071829304'],
    ['the api key is 77ab-99cd-11ef-22aa', '77ab-99cd-11ef-22aa'],
    ['the database password is hunter2', 'hunter2'],
    ['our wifi password is now correcthorse, write it down', 'correcthorse'],
    ['the password for the staging server is Blu3berry!', 'Blu3berry!'],
    ['DB_PASSWORD=swordfish', 'swordfish'],
    ['password: "let me in"', 'me in'],
    ['das Passwort ist Kartoffel7', 'Kartoffel7'],
    ['my PIN is 4711', '4711'],
  ])('%s', (text, secret) => {
    expect(withoutSecrets(text)).not.toContain(secret)
    expect(withoutSecrets(text)).toContain('[secret]')
  })
})

describe('what is no secret', () => {
  it.each([
    'the password is wrong',
    'the password is stored in 1Password',
    'the password minimum is 8 characters',
    'the password manager is LastPass',
    'remember that the api key lives in .env.local',
    'the api key is in .env.local',
    'API_KEY=$(cat key.txt)',
    'password: process.env.DB_PASSWORD',
    'password: <your password>',
    'the token limit is 200000',
    'the secret store is Vault',
    'we use passkeys instead of passwords',
    'git@github.com:acme/shop.git and https://acme.test/a:b',
    'sk-learn and skip-worktree',
    'commit 3f9a1c2b7d4e5f60718293a4b5c6d7e8f9012345',
    'the key of the map is the package name',
    'turn_0123456789abcdef01234567',
    'pin the version to 3.2.1',
  ])('%s', (text) => {
    expect(findSecrets(text)).toEqual([])
    expect(withoutSecrets(text)).toBe(text)
  })
})

it('a long text is read in linear time', () => {
  const text = 'password key token secret :// sk- '.repeat(20_000)
  const before = performance.now()
  withoutSecrets(text)
  expect(performance.now() - before).toBeLessThan(3_000)
})
