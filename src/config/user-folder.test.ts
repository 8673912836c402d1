import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { userConfigFolder } from './user-folder.ts'

const homedir = join('/', 'home', 'ada')

describe("the user's configuration folder", () => {
  it.each([
    ['linux', { PALIMPSEST_HOME: '/chosen', XDG_CONFIG_HOME: '/shared' }, '/chosen'],
    ['linux', { PALIMPSEST_HOME: '', XDG_CONFIG_HOME: '/shared' }, join('/shared', 'palimpsest')],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, join(homedir, '.config', 'palimpsest')],
    ['linux', {}, join(homedir, '.config', 'palimpsest')],
    ['darwin', {}, join(homedir, 'Library', 'Application Support', 'palimpsest')],
    ['win32', { APPDATA: '/roaming' }, join('/roaming', 'palimpsest')],
    ['win32', {}, join(homedir, 'AppData', 'Roaming', 'palimpsest')],
  ])('on %s with %o is %s', (platform, env, folder) => {
    expect(userConfigFolder({ env, platform, homedir })).toBe(folder)
  })
})
