/** `asked` corrects inside a question and suggests elsewhere; `link` belongs to a cue only beside one. */
export type CueWeight = 'strong' | 'asked' | 'weak' | 'filler' | 'link'

function phrases(weight: CueWeight, list: string): readonly (readonly [string, CueWeight])[] {
  return list
    .trim()
    .split(/\s*,\s*/)
    .map((phrase) => [phrase.replace(/\s+/g, ' '), weight] as const)
}

const weights: ReadonlyMap<string, CueWeight> = new Map([
  ...phrases(
    'strong',
    `
    no wait, wait no, no no, no sorry, sorry no, no not that, no not this, not that, or rather,
    or no, or wait, or actually, or really, or better yet, or better, or should i say, or i
    should say, i should say, or uh, or um, or instead, or sorry, or er, or oh, i mean, i meant,
    i meant to say, i meant to ask, i mean to say, i mean to ask, make that, scratch that,
    strike that, cancel that, forget that, correct that, change that to, scrap that, scratch
    this, or more specifically, sorry, i'm sorry, im sorry, i am sorry, so sorry, my apologies,
    apologies, my bad, my mistake, pardon, pardon me, excuse me, forgive me, my fault, i
    misspoke, hold on, hang on, never mind, nevermind, let me rephrase, let me rephrase that,
    let me correct myself, let me restate, let me start over, correction, wait a minute, wait a
    second, wait a sec, one second, on second thought, second thought, to be precise, that is to
    say, to be exact, i take that back, that's wrong, that's not right, not really, better yet,
    that's not it, or more precisely, or more generally, or more particularly, swap that to, swap
    that for, swap that with, change that for, i intended, i intended to say
    `,
  ),
  ...phrases(
    'asked',
    `
    or maybe, or i guess, or i think, or i believe, or perhaps, or first, no first, let's say, or
    just, or is it, actually i think, or like, or let's say, or let me, more specifically, i want to say
    `,
  ),
  ...phrases(
    'weak',
    `
    no, nope, nah, wait, rather, actually, instead, really, that is, i guess, as in, well
    `,
  ),
  ...phrases(
    'filler',
    `
    uh, uhh, um, umm, ummm, uhm, er, err, erm, ergh, ah, ahh, eh, oh, ooh, oops, opps, ahem,
    oof, yikes, urgh, argh, ack, eek, erg, damnit, dammit, whoopsie, doh, bah, aw, oop, oopsie,
    whoops, woops, ugh, huh, hm, hmm, oy, darn, dang, dang it, darn it, blast it, shoot, gosh,
    geez, jeez, crap, damn, hoo boy, oh boy, holy moley, holy moly, oh my
    `,
  ),
  ...phrases(
    'link',
    `
    or, and, but, like, yeah, yes, okay, ok, so, just, please, maybe, man
    `,
  ),
])

/** Words of the longest phrase. */
export const longestCuePhrase = 4

/** How much a phrase says that something is taken back. Interjections are drawn out at will: `ummm`, `ooof`, `nooo`. */
export function cueWeight(phrase: string): CueWeight | undefined {
  const plain = phrase.replace(/\s+/g, ' ')
  return weights.get(plain) ?? weights.get(shortened(plain))
}

function shortened(phrase: string): string {
  return phrase.replace(/(\p{L})\1{2,}/gu, '$1').replace(/^([uoe])\1(?=[mhfr]+$)/, '$1')
}
