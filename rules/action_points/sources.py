"""Where the rules stand: the headings of the source, whose first two chapters have a number and no words."""

ON_ORDER = "I. Бой в пошаговом режиме"
ON_PARAMETERS = "II. Базовые параметры"
ON_STATES = "III. Состояния"
ON_LEVELS = "IV. Уровни/Круги силы"
ON_MOVEMENT = "V. Базовые действия: Движение"
ON_ACTIONS = "V. Базовые действия: Действия"
ON_ABILITIES = "V. Базовые действия: Способности"
ON_ATTACKS = "V. Базовые действия: Атаки"
ON_COMBAT = "VI. Проведение боя"
BEYOND = "beyond the source"

CHAPTERS = (
    ON_ORDER,
    ON_PARAMETERS,
    ON_STATES,
    ON_LEVELS,
    ON_MOVEMENT,
    ON_ACTIONS,
    ON_ABILITIES,
    ON_ATTACKS,
    ON_COMBAT,
    BEYOND,
)
