// Puts decisions to the bot, one by one, without an arena: `my_bot_test DIRECTORY_OF_SAMPLES`.

#include "my_bot.h"

#include <exception>
#include <iostream>

#include "arena/sample.h"

int main(int argc, char** argv) {
  try {
    const std::string samples = argc > 1 ? argv[1] : "samples";
    const auto match = arena::read_match(samples + "/match-started.binpb");
    const auto bot = arena::make_bot<MyBot>(*match);
    for (const auto& decision : arena::read_decisions(*match, samples + "/decisions.binpb")) {
      const std::size_t index = decision->index_of(bot->answer(*decision));  // throws if illegal
      std::cout << "decision " << decision->id() << ": " << decision->legal_moves()[index].text()
                << "\n";
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
