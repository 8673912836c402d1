/**
 * The weight of each feature in a log-linear ranker over word classes, fitted on the training part of Disfl-QA.
 * `reparandum.ts` computes the features.
 */
export const reparandumWeights: ReadonlyMap<string, number> = new Map(
  `
all:article:2=-1.26 all:article:3=-0.32 all:article:4=-1.45 all:article:5=-1.38
all:article:6=-1.19 all:article:7=-0.86 all:article:8=0.87 all:auxiliary:4=0.92
all:auxiliary:6=-0.56 all:auxiliary:7=-2.36 all:auxiliary:8=-0.46 all:filler=0.31
all:name:2=-0.51 all:name:3=-1.6 all:name:4=-1.64 all:name:5=-0.94 all:name:6=0.61
all:name:7=-0.71 all:name:8=0.49 all:number:1=-1.06 all:number:8=-0.95 all:participle:1=-1.66
all:participle:4=-0.43 all:participle:5=-1.21 all:participle:8=-1.16 all:phrase=0.83
all:plural:1=-1.98 all:plural:2=-1.01 all:plural:3=-1.41 all:plural:4=-1.77
all:plural:5=-2.35 all:plural:6=-2.25 all:plural:7=-2.12 all:plural:8=0.43
all:preposition:2=-1.66 all:preposition:3=-1.1 all:preposition:4=-1.66
all:preposition:5=-1.15 all:preposition:8=1.69 all:question:1=-1.78 all:question:2=-1.02
all:question:3=-0.74 all:question:4=-0.89 all:question:6=-0.42 all:question:7=1.14
all:question:8=1.47 all:restart=0.63 all:word:1=-1.56 all:word:2=-1.66 all:word:3=-1.51
all:word:4=-0.78 all:word:5=-1.03 all:word:6=-2.25 all:word:7=-1.76
auxiliary:false:false:true=-0.75 auxiliary:false:true:false=-1.49
auxiliary:false:true:true=0.43 auxiliary:true:false:false=0.45
auxiliary:true:true:false=-0.52 auxiliary:true:true:true=0.71 before:adverb+article=-1.01
before:adverb+name=0.4 before:adverb+question=-0.83 before:adverb+word=-0.52
before:article+article=-2.07 before:article+auxiliary=-0.9 before:article+name=0.4
before:article+participle=-1.74 before:article+preposition=-1.77
before:article+question=-1.79 before:auxiliary+article=0.5 before:auxiliary+auxiliary=-2.9
before:auxiliary+gerund=-0.79 before:auxiliary+negation=-0.87 before:auxiliary+number=0.33
before:auxiliary+participle=0.94 before:auxiliary+preposition=-0.55
before:auxiliary+question=-0.95 before:auxiliary+word=-0.63 before:conjunction+name=0.63
before:conjunction+plural=-1.54 before:conjunction+question=-0.72
before:conjunction+word=-0.83 before:edge+auxiliary=0.48 before:edge+gerund=-0.69
before:edge+name=0.42 before:edge+negation=-1.69 before:edge+number=-0.67
before:edge+participle=-1.38 before:edge+plural=-0.37 before:edge+preposition=0.37
before:edge+question=0.6 before:edge+word=-0.55 before:gerund+article=0.44
before:gerund+gerund=-1.63 before:gerund+question=-1.4 before:gerund+word=-0.76
before:name+article=-0.69 before:name+name=-1.25 before:name+participle=-0.3
before:name+question=-0.72 before:number+article=-1.37 before:number+name=-2.54
before:number+number=-1.32 before:number+question=0.58 before:number+word=-0.43
before:participle+participle=-1.56 before:participle+plural=-0.84
before:plural+auxiliary=0.61 before:plural+gerund=-1.82 before:plural+name=-0.58
before:plural+number=-1.44 before:plural+participle=0.78 before:plural+plural=-1.55
before:plural+word=-0.32 before:preposition+article=0.51 before:preposition+auxiliary=-1.28
before:preposition+participle=-0.88 before:preposition+preposition=-1.68
before:preposition+question=-0.44 before:pronoun+name=-1.88 before:pronoun+plural=-0.48
before:pronoun+preposition=-0.52 before:pronoun+question=-1.47 before:pronoun+word=-0.9
before:question+article=-1.09 before:question+name=-1.09 before:question+negation=-1.42
before:question+number=-1.1 before:question+participle=0.91 before:question+preposition=-1.38
before:question+question=-0.41 before:question+word=0.48 before:word+article=-0.53
before:word+name=-0.69 before:word+number=-1.31 before:word+participle=-0.99
before:word+preposition=0.75 before:word+question=-0.38 cue:filler:2=-0.31 cue:phrase:1=0.41
cue:phrase:3=-0.82 cue:restart:1=-0.37 cue:restart:3=0.89 edge:adverb|participle=-0.63
edge:adverb|preposition=-1.56 edge:article|article=0.93 edge:article|auxiliary=-0.32
edge:article|gerund=0.62 edge:article|name=-0.81 edge:article|participle=0.42
edge:article|preposition=-1.52 edge:article|pronoun=-0.39 edge:article|word=-0.84
edge:auxiliary|adverb=-0.61 edge:auxiliary|article=-0.43 edge:auxiliary|auxiliary=1
edge:auxiliary|negation=-0.45 edge:auxiliary|number=0.61 edge:auxiliary|plural=0.91
edge:auxiliary|preposition=-0.3 edge:auxiliary|pronoun=-1.62 edge:auxiliary|word=0.38
edge:conjunction|name=-1.12 edge:conjunction|plural=0.42 edge:conjunction|word=-0.43
edge:edge|article=-0.42 edge:edge|auxiliary=0.69 edge:edge|conjunction=-1.18
edge:edge|gerund=-0.99 edge:edge|preposition=0.39 edge:edge|question=0.95
edge:gerund|plural=-0.97 edge:gerund|preposition=-1.06 edge:gerund|word=-0.86
edge:name|auxiliary=0.61 edge:name|conjunction=-1.76 edge:name|name=-1.55
edge:name|number=0.44 edge:name|plural=-1.41 edge:name|preposition=-0.52 edge:name|word=-0.78
edge:negation|participle=-0.87 edge:negation|word=0.6 edge:number|name=-2.16
edge:number|number=-1.21 edge:number|plural=-0.84 edge:number|preposition=-1.08
edge:number|question=0.78 edge:participle|article=-0.44 edge:participle|name=1.07
edge:participle|plural=-1.07 edge:participle|preposition=-1.04 edge:participle|word=-0.49
edge:plural|auxiliary=-0.77 edge:plural|participle=-0.32 edge:plural|preposition=-1.25
edge:preposition|article=-0.93 edge:preposition|auxiliary=0.4
edge:preposition|participle=0.83 edge:preposition|plural=-0.38
edge:preposition|question=-0.81 edge:pronoun|auxiliary=-1.41 edge:pronoun|preposition=-1.39
edge:pronoun|word=-0.64 edge:question|adverb=-1.43 edge:question|auxiliary=-0.87
edge:question|name=1.01 edge:question|participle=-0.66 edge:question|plural=-0.8
edge:question|preposition=0.79 edge:question|pronoun=-0.67 edge:question|word=-0.92
edge:word|article=0.52 edge:word|conjunction=-2.46 edge:word|name=0.41 edge:word|number=-0.39
edge:word|participle=0.47 edge:word|plural=-1.06 edge:word|preposition=-1.13
edge:word|question=0.61 edge:word|word=-0.86 first:adverb>article=-1.67
first:adverb>name=-1.44 first:adverb>question=-0.78 first:adverb>word=0.48
first:article>article=0.92 first:article>auxiliary=-1.02 first:article>gerund=-1.82
first:article>name=0.31 first:article>number=-2.47 first:article>participle=-3.03
first:article>plural=-2 first:article>preposition=-1.76 first:article>word=-1.18
first:auxiliary>auxiliary=0.97 first:auxiliary>name=-0.95 first:auxiliary>negation=-0.49
first:auxiliary>number=-1.81 first:auxiliary>plural=0.67 first:auxiliary>preposition=-0.62
first:auxiliary>question=-0.43 first:auxiliary>word=-0.85 first:conjunction>article=-1.43
first:conjunction>name=-1.22 first:conjunction>plural=-1.51 first:conjunction>question=-1.03
first:conjunction>word=-0.71 first:gerund>article=-1.82 first:gerund>gerund=1.77
first:gerund>name=-0.52 first:gerund>preposition=-1.91 first:gerund>question=-1.09
first:name>article=-0.42 first:name>auxiliary=-1.39 first:name>name=0.8
first:name>number=-1.33 first:name>participle=-2.32 first:name>preposition=-2.26
first:name>question=-2.08 first:name>word=-0.56 first:negation>article=-1.73
first:number>name=-1.22 first:number>number=1.81 first:number>preposition=-1.28
first:number>question=-1.06 first:number>word=-0.89 first:participle>article=-0.63
first:participle>auxiliary=0.38 first:participle>name=-1.79 first:participle>number=-1.32
first:participle>participle=2.53 first:participle>plural=-0.74
first:participle>preposition=-2.25 first:participle>question=-0.76 first:plural>article=-0.33
first:plural>auxiliary=-0.82 first:plural>gerund=-1.09 first:plural>name=-0.65
first:plural>number=-1.68 first:plural>participle=-1.75 first:plural>plural=0.58
first:plural>preposition=-0.79 first:plural>question=-1.14 first:preposition>article=-2.12
first:preposition>auxiliary=-0.3 first:preposition>gerund=-0.87 first:preposition>name=-1.94
first:preposition>participle=-3.02 first:preposition>plural=-2.94
first:preposition>preposition=1.8 first:preposition>question=-0.6
first:preposition>word=-1.28 first:pronoun>article=0.98 first:pronoun>plural=-1.64
first:pronoun>preposition=0.47 first:pronoun>question=-1.67 first:pronoun>word=-0.65
first:question>auxiliary=-0.44 first:question>gerund=-0.33 first:question>name=-0.42
first:question>negation=-0.61 first:question>number=-0.45 first:question>plural=-0.44
first:question>preposition=0.36 first:question>question=0.99 first:word>article=-0.94
first:word>auxiliary=-1.18 first:word>name=-0.38 first:word>negation=-1.01
first:word>number=-1.22 first:word>participle=-0.58 first:word>preposition=-2.16
first:word>question=-0.55 first:word>word=0.7 inner-kept:1=-1.1 inner-kept:2=-0.67
inner-kept:3=-0.52 inner-kept:4=-0.52 inner-next:adverb=0.56 inner-next:article=-0.83
inner-next:conjunction=-2.96 inner-next:gerund=-1.15 inner-next:name=-3.08
inner-next:number=-1.52 inner-next:participle=0.3 inner-next:plural=-1.12
inner-next:preposition=-0.66 inner-next:pronoun=-1.53 inner-next:question=0.48
inner-next:word=-0.68 inner-repair:1=0.89 inner-repair:3=-0.91 inner-repair:4=-1.78
inner-repair:5=-3.47 inner:before:article+article=-0.85 inner:before:article+number=-1.39
inner:before:article+participle=-1.91 inner:before:article+plural=-0.56
inner:before:article+preposition=-1.06 inner:before:article+question=-1.27
inner:before:auxiliary+gerund=-0.47 inner:before:auxiliary+number=-1.87
inner:before:auxiliary+participle=-2.32 inner:before:auxiliary+preposition=-1.33
inner:before:auxiliary+question=-1.97 inner:before:conjunction+word=-2.34
inner:before:edge+auxiliary=-0.89 inner:before:edge+gerund=0.34 inner:before:edge+name=0.71
inner:before:edge+number=-0.88 inner:before:edge+participle=-1.15
inner:before:edge+plural=-1.4 inner:before:edge+preposition=-0.35
inner:before:edge+question=0.37 inner:before:edge+word=-1.25
inner:before:gerund+article=-1.13 inner:before:gerund+name=-1.38
inner:before:gerund+word=-1.66 inner:before:name+article=-1.34 inner:before:name+name=-0.61
inner:before:name+number=-0.41 inner:before:name+participle=-1.5
inner:before:name+plural=-2.17 inner:before:name+preposition=-2.02
inner:before:name+question=-1.51 inner:before:name+word=-1.16
inner:before:negation+article=-1.1 inner:before:number+article=-0.73
inner:before:number+name=-1.86 inner:before:number+number=-1.64
inner:before:number+preposition=-1.27 inner:before:participle+article=-2.2
inner:before:participle+name=-1.89 inner:before:participle+number=-1.67
inner:before:participle+participle=-1.55 inner:before:participle+plural=-1.53
inner:before:participle+question=-1.41 inner:before:participle+word=-2.47
inner:before:plural+article=-2.44 inner:before:plural+name=-1.65
inner:before:plural+number=-0.94 inner:before:plural+participle=-1.88
inner:before:plural+plural=-1.88 inner:before:plural+preposition=-1.97
inner:before:plural+question=-1.11 inner:before:plural+word=-2.8
inner:before:preposition+article=-0.45 inner:before:preposition+auxiliary=-0.84
inner:before:preposition+number=0.53 inner:before:preposition+participle=-1.9
inner:before:preposition+plural=-0.76 inner:before:preposition+preposition=-0.95
inner:before:preposition+question=-1.59 inner:before:preposition+word=-0.94
inner:before:pronoun+name=-1.36 inner:before:pronoun+preposition=-0.97
inner:before:pronoun+word=-0.46 inner:before:question+article=-1.61
inner:before:question+auxiliary=-0.81 inner:before:question+gerund=-1.29
inner:before:question+name=-1.8 inner:before:question+number=-1.13
inner:before:question+participle=-1.8 inner:before:question+plural=-0.5
inner:before:question+preposition=-0.84 inner:before:question+question=-0.32
inner:before:question+word=-0.83 inner:before:word+article=-1.19
inner:before:word+gerund=-1.29 inner:before:word+name=-0.81 inner:before:word+number=-0.61
inner:before:word+participle=-0.62 inner:before:word+question=-1.65
inner:before:word+word=-1.26 inner:first:adverb>word=-1.61 inner:first:article>article=0.3
inner:first:article>gerund=-1.38 inner:first:article>name=-1.05
inner:first:article>number=-1.78 inner:first:article>participle=-2.27
inner:first:article>plural=-2.7 inner:first:article>preposition=-1.66
inner:first:article>question=-1.66 inner:first:article>word=-1.69
inner:first:auxiliary>article=-1.24 inner:first:auxiliary>gerund=-1.33
inner:first:auxiliary>name=-1.48 inner:first:auxiliary>number=-1.45
inner:first:auxiliary>participle=-1.64 inner:first:auxiliary>plural=-1.68
inner:first:auxiliary>preposition=-0.88 inner:first:auxiliary>question=-0.7
inner:first:auxiliary>word=-1.72 inner:first:conjunction>word=-1.41
inner:first:gerund>article=-1.33 inner:first:gerund>name=-1.74 inner:first:gerund>word=-1.9
inner:first:name>article=-0.64 inner:first:name>name=1.1 inner:first:name>number=-2.62
inner:first:name>participle=-2.1 inner:first:name>plural=-0.56
inner:first:name>preposition=-1.71 inner:first:name>question=-1.23
inner:first:name>word=-0.92 inner:first:negation>article=-1.36
inner:first:number>article=-1.24 inner:first:number>name=-2.47 inner:first:number>number=1.3
inner:first:number>preposition=-0.92 inner:first:number>word=-2.29
inner:first:participle>article=-1.38 inner:first:participle>name=-2.02
inner:first:participle>number=-1.54 inner:first:participle>plural=-1.78
inner:first:participle>preposition=-1.35 inner:first:participle>question=-1
inner:first:participle>word=-2.51 inner:first:plural>article=-1.31
inner:first:plural>auxiliary=-0.98 inner:first:plural>name=-0.37
inner:first:plural>number=-1.52 inner:first:plural>participle=-2.18
inner:first:plural>preposition=-1.18 inner:first:plural>question=-1.26
inner:first:plural>word=-0.3 inner:first:preposition>article=-0.93
inner:first:preposition>auxiliary=-0.75 inner:first:preposition>gerund=-0.95
inner:first:preposition>name=-1.57 inner:first:preposition>number=-1.35
inner:first:preposition>participle=-2.21 inner:first:preposition>plural=-1.97
inner:first:preposition>preposition=0.44 inner:first:preposition>question=-0.99
inner:first:preposition>word=-1.28 inner:first:pronoun>name=-1.91
inner:first:pronoun>preposition=-0.75 inner:first:pronoun>word=-2.15
inner:first:question>article=-0.69 inner:first:question>auxiliary=-0.31
inner:first:question>gerund=-1.51 inner:first:question>name=-1.9
inner:first:question>number=-0.64 inner:first:question>participle=-1.13
inner:first:question>plural=-0.84 inner:first:question>preposition=-0.63
inner:first:question>question=0.3 inner:first:question>word=-0.96
inner:first:word>article=-1.85 inner:first:word>auxiliary=-1.02 inner:first:word>gerund=-1.55
inner:first:word>name=-0.88 inner:first:word>number=-2.07 inner:first:word>participle=-2.54
inner:first:word>preposition=-1.72 inner:first:word>question=-1.71 inner:first:word>word=0.52
inner:length:1=-0.9 inner:length:2=-0.52 inner:length:3=-0.38 inner:length:4=-0.46
inner:same=1.9 last:adverb>article=-1.65 last:adverb>auxiliary=-1.49
last:adverb>participle=-0.62 last:adverb>plural=-1.8 last:adverb>preposition=-0.4
last:adverb>question=-0.94 last:adverb>word=-1.09 last:article>article=-2.44
last:article>auxiliary=-1.34 last:article>gerund=-1.31 last:article>name=-1.58
last:article>number=-1.63 last:article>plural=-1.13 last:article>preposition=-1.9
last:article>question=-1.39 last:article>word=-0.72 last:auxiliary>adverb=-1.45
last:auxiliary>auxiliary=-0.97 last:auxiliary>conjunction=-1.26 last:auxiliary>gerund=-1.66
last:auxiliary>negation=0.56 last:auxiliary>number=-0.68 last:auxiliary>plural=-0.74
last:auxiliary>preposition=-0.8 last:auxiliary>pronoun=0.96 last:auxiliary>question=-0.75
last:auxiliary>word=-0.59 last:conjunction>article=-0.86 last:conjunction>name=-1.17
last:conjunction>plural=-2.07 last:conjunction>question=-1.28 last:conjunction>word=-1.91
last:gerund>article=-0.43 last:gerund>auxiliary=-1.77 last:gerund>gerund=0.62
last:gerund>number=-0.62 last:gerund>participle=-0.46 last:gerund>plural=-0.34
last:gerund>preposition=-0.68 last:gerund>question=-0.81 last:name>adverb=0.7
last:name>article=0.66 last:name>gerund=-0.89 last:name>name=0.78 last:name>negation=-1.37
last:name>number=0.77 last:name>preposition=0.73 last:name>pronoun=1.11 last:name>word=-0.49
last:negation>article=-0.79 last:negation>preposition=-1.29 last:negation>word=-1.61
last:number>article=-1.81 last:number>auxiliary=-1.36 last:number>name=-0.37
last:number>number=1.34 last:number>participle=0.78 last:number>plural=-0.42
last:number>question=-1.27 last:participle>article=-1.25 last:participle>auxiliary=-0.56
last:participle>gerund=-0.71 last:participle>name=-2.32 last:participle>number=-1.59
last:participle>plural=-1.86 last:participle>question=-0.64 last:plural>adverb=-0.47
last:plural>gerund=-0.3 last:plural>name=0.32 last:plural>plural=0.88
last:plural>pronoun=0.58 last:plural>question=-0.86 last:plural>word=0.32
last:preposition>article=-0.69 last:preposition>auxiliary=-1.57
last:preposition>conjunction=-1.56 last:preposition>gerund=-1.47 last:preposition>name=-1.14
last:preposition>number=-1.19 last:preposition>plural=-1.13
last:preposition>preposition=-0.96 last:preposition>pronoun=0.86 last:preposition>word=-1.79
last:pronoun>article=0.74 last:pronoun>auxiliary=-1.07 last:pronoun>name=0.45
last:pronoun>plural=-1.25 last:pronoun>preposition=-0.97 last:pronoun>question=-1.06
last:pronoun>word=-0.54 last:question>article=-1.99 last:question>auxiliary=-1.53
last:question>gerund=-1.24 last:question>name=-1.36 last:question>number=-1.59
last:question>participle=-1.2 last:question>plural=-0.56 last:question>word=-1.42
last:word>adverb=0.89 last:word>article=-0.32 last:word>auxiliary=-0.49
last:word>conjunction=-0.3 last:word>participle=-0.43 last:word>question=-0.87 length:1=0.47
length:4=-0.55 length:5=-0.91 length:6=-1.29 length:7=-1.05 length:8=-1.09
name-before:true=-1.55 pause:true=0.64 question-gone:false=-0.92 question-gone:true=0.92
question-kept:false=-1.67 question-kept:true=1.52 same=0.34 same-second=1.78 same-stem=1.53
second:adverb>auxiliary=0.53 second:adverb>edge=0.36 second:adverb>plural=-1.36
second:adverb>word=-0.3 second:article>adverb=-1.01 second:article>article=-0.43
second:article>conjunction=0.44 second:article>edge=-0.41 second:article>gerund=-0.47
second:article>number=-0.85 second:article>question=-0.7 second:article>word=-0.62
second:auxiliary>adverb=-1.05 second:auxiliary>conjunction=-0.36
second:auxiliary>gerund=-1.22 second:auxiliary>name=-0.74 second:auxiliary>number=0.33
second:auxiliary>plural=0.62 second:conjunction>article=-0.37 second:conjunction>edge=0.37
second:conjunction>name=-0.32 second:conjunction>number=0.47
second:conjunction>participle=1.08 second:conjunction>plural=-0.49
second:conjunction>question=0.84 second:gerund>auxiliary=-1.14 second:gerund>edge=-2.2
second:gerund>name=-0.92 second:gerund>plural=0.81 second:gerund>preposition=-2.15
second:name>auxiliary=-0.82 second:name>edge=-0.35 second:name>gerund=-0.38
second:name>name=0.64 second:name>participle=-1.38 second:name>plural=-0.75
second:name>preposition=-0.66 second:name>word=0.4 second:negation>edge=-0.4
second:negation>word=-0.67 second:number>article=-1.58 second:number>auxiliary=-0.35
second:number>name=-0.49 second:number>number=1.04 second:number>plural=-1.53
second:number>question=-1.25 second:number>word=0.72 second:participle>auxiliary=-1.4
second:participle>edge=-0.53 second:participle>name=-1.43 second:participle>plural=-0.51
second:participle>preposition=-0.78 second:participle>word=-0.48 second:plural>adverb=-0.69
second:plural>auxiliary=-0.43 second:plural>conjunction=-0.79 second:plural>name=-0.5
second:plural>participle=-0.62 second:plural>question=-0.91 second:plural>word=-0.59
second:preposition>article=-0.5 second:preposition>auxiliary=-0.74
second:preposition>conjunction=-0.55 second:preposition>edge=-1.08
second:preposition>gerund=-1.86 second:preposition>name=-0.38 second:preposition>plural=-0.87
second:preposition>preposition=-0.31 second:preposition>question=-0.9
second:preposition>word=-0.95 second:pronoun>auxiliary=-0.62 second:pronoun>preposition=-0.97
second:question>article=-1.62 second:question>auxiliary=0.47 second:question>plural=0.55
second:question>preposition=-0.43 second:word>auxiliary=-0.65 second:word>gerund=-0.61
second:word>name=-0.6 second:word>number=-0.56 second:word>preposition=-0.31
`
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const at = entry.lastIndexOf('=')
      return [entry.slice(0, at), Number(entry.slice(at + 1))] as const
    }),
)
