/** What recognisers write where nobody speaks: [BLANK_AUDIO], (music), *applause*. */
const noiseMark = /\[[^\]]{0,80}\]|\([^)]{0,80}\)|\*[^*]{0,80}\*|【[^】]{0,80}】|（[^）]{0,80}）/gu

/** Whether a transcript has anything to summarise: a word beside the marks of noise and silence. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text.replace(noiseMark, ' '))
}
