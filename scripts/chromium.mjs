// Finds and installs the browser that the dashboard's tests, benchmark and screenshots use: Debian's Chromium.
import { existsSync } from 'node:fs'
import { hasProgram, installPackage } from './system-package.mjs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The path of the browser; null when there is none. */
export function chromiumPath() {
  return places.find((place) => existsSync(place)) ?? null
}

/** Installs Chromium and a font, when this user has permission. */
export function installChromium() {
  if (chromiumPath() === null) installPackage('chromium')
  if (!existsSync('/usr/share/fonts/truetype/dejavu') && hasProgram('apt-get'))
    installPackage('fonts-dejavu-core')
}

/** Starts it without a window, and without requests of its own. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
