const stopwords = new Set(
  `a about above after again against ago all almost alone along already also although always am among an and another any
  anybody anyone anything are aren't around as ask asked at away back be became because become been before began begin
  behind being below best better between big both but by call called came can can't cannot certain come comes could
  couldn't day days did didn't different do does doesn't doing don't done down during each eight either eighteen eighty
  else end enough even ever every everybody everyone everything exactly face far feel few fifteen fifty find first five
  for forty found four from full gave get gets getting give given gives go goes going gone good got great had half happen
  happens hard has have haven't having he he's her here here's hers herself him himself his hold holds how however
  hundred i i'd i'll i'm i've if in inside instead into is isn't it it'd it'll it's its itself just keep keeps kept kind
  knew know known knows last later least left less let let's like likes little long longer look looks lot made make makes
  making many may maybe me mean means might mine minute minutes more most much must my myself near need needs never new
  next nine no nobody none nor not nothing now o'clock of off often oh okay old on once one ones only onto or other others
  our out over own part people perhaps place put quite rather really right said same saw say says second see seem seems
  seen set seven several shall she she's should show side since six sixteen sixty small so some somebody someone something
  sometimes soon still such sure take taken takes talk talks tell ten than thank thanks that that's the their them
  themselves then there there's these they they'd they'll they're they've thing things think third thirty this those
  though thought thousand three through till time times to today together told tonight too took toward true try tried
  turn turned turns twelve twenty two under until up upon us use used uses usual usually very want wants was wasn't way we
  we'd we'll we're we've well went were weren't what what's when where whether which while who who's whole whom whose why
  will with within without won't word words work works worked would wouldn't year years yes yet you you'd you'll you're
  you've your yours yourself zero nineteen seventeen fourteen thirteen eleven ninety seventy episode podcast show welcome
  answer answers question questions um uh yeah gonna wanna actually basically literally stuff`
    .split(/\s+/)
    .filter(Boolean),
)

/** Words that say nothing of what a text is about. */
export function isStopword(word: string): boolean {
  return stopwords.has(word) || /^\d{1,2}$/.test(word) || word.length < 2
}

/** Verbs that a sentence opens with when it asks for something. */
export const imperatives = new Set(
  `add adjust agree aim allow answer apply arrange ask avoid bring build buy call carry change check choose clean close collect
  compare consider cook copy count cover create cut decide describe divide do draw dress drink drop eat expect explain
  feel fill find finish fold follow forget get give go grab hang heat hold imagine invite join keep learn leave let lift
  limit listen look lower make mark measure mix move name note notice observe open order pay pick place plan plant pour
  practise practice prepare press print pull push put raise read record reduce remember remove repeat rest ride rinse run
  salt save search see select sell send set share show sit skip sleep slow smell speak spend stand start stay step
  stir stop switch take talk taste teach tell test think throw tie touch train trust try turn type use visit wait walk
  warm wash watch wear whisk work write`
    .split(/\s+/)
    .filter(Boolean),
)
